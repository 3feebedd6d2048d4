"""What a factor of X ≈ Z U may be, one constraint a file."""
