"""The commands of roles: a file a command, and what they share."""
