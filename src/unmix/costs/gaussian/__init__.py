"""The Gaussian cost and the mixtures it makes: distances and moments under every family of covariances."""
