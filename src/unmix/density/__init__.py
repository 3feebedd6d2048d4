"""Models of the density that data were drawn from."""

from unmix.density.gaussian_mixture import GaussianMixture

__all__ = ["GaussianMixture"]
