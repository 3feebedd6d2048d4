"""Text tables: which bytes are which characters, how fields and rows are told apart, and what a cell says."""
