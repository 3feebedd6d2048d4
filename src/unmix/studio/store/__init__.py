"""What is kept on disk and how it comes there: tables, runs with their settings, groups of rows."""
