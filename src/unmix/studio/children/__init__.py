"""The processes that the server starts: one reads tables, one explores; both speak JSON lines and end with it."""
