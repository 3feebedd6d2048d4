"""Exact covers: the fewest or cheapest roles that give everybody exactly what they have, with a proof."""
