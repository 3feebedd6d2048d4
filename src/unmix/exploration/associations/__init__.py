"""What columns of any kinds tell of each other, in bits, beside what chance gives."""
