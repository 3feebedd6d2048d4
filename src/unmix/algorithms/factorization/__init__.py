"""X ≈ Z U under a loss for each column and a constraint on each factor: the general road, one pass an iteration."""
