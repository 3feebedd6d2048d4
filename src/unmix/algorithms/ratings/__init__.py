"""Tables of which few entries are known: users who rated a few items each."""
