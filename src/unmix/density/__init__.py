"""Models of the density that data were drawn from."""

from unmix.density.categorical import Categorical
from unmix.density.gaussian import Gaussian
from unmix.density.gaussian_mixture import GaussianMixture
from unmix.density.gliding_histogram import GlidingHistogram
from unmix.density.histogram_density import HistogramDensity
from unmix.density.kernel_density import KernelDensity

__all__ = ["Categorical", "Gaussian", "GaussianMixture", "GlidingHistogram", "HistogramDensity", "KernelDensity"]
