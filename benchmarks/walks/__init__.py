"""How many files one call walks through: what a newcomer reads to follow it from end to end."""
