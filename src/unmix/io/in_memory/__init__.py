"""Tables in memory, of any library, as frames of polars."""
