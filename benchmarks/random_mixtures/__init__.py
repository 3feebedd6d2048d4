"""Default Gaussian mixtures on random tables: which reaches the higher likelihood, scikit-learn or unmix."""
