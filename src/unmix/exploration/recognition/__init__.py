"""Tables that are not rows of measurements: counts, dissimilarities, yes and no, signals; each with its reason."""
