"""Gaussian mixture with full covariances: thirty EM iterations from one given start."""
