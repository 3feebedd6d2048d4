"""What sets each group of rows apart, in words."""
