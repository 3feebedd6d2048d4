"""What each column is, and how the columns become a matrix without gaps."""
