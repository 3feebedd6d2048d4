"""Mixtures of Gaussians: parameters, starts, races between them, splits and merges, streams."""
