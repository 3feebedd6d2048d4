"""What readers of every format share: the registry, the errors they raise, and the room a file takes."""
