"""Points as weighted means of their neighbours, and the map in which the same weights hold."""
