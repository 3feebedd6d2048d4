"""What changed between two states of access: people, grants and roles, with the cause of each change."""
