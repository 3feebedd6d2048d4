"""How far the default inference of every clustering cost ends above the best of all others, on twenty tables each."""
