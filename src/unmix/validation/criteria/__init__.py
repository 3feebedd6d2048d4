"""One criterion a file: a number with its standard error for a fitted model."""
