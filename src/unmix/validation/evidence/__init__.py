"""What is measured of fitted models: likelihoods, resamples, held-out parts, references without structure."""
