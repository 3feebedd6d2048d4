"""What a cell of text says: dialects, numbers in every dress, what a spreadsheet would run."""
