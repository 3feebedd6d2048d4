"""Fixed bases and what can be said of them: atoms are rows, X ≈ Z U."""
