"""What a model says of rows and cells that it was not fitted to."""
