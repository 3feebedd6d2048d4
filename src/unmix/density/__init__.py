"""Models of the density that data were drawn from."""

from unmix.density.categorical import Categorical
from unmix.density.gaussian import Gaussian
from unmix.density.gaussian_mixture import GaussianMixture
from unmix.density.histogram_density import HistogramDensity

__all__ = ["Categorical", "Gaussian", "GaussianMixture", "HistogramDensity"]
