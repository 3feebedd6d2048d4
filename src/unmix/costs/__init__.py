"""What a clustering costs: one cost a file."""
