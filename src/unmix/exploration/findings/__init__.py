"""What was found, as plain records, and how it is written down: JSON, text, files."""
