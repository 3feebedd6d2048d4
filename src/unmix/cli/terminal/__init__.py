"""What every command shares with the terminal: how it begins, reports progress, complains and ends."""
