"""What a cell of a table may cost under a model, one loss a file."""
