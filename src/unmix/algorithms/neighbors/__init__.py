"""The nearest neighbours of rows, and how a picture of them keeps their ranks."""
