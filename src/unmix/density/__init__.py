"""Models of the density that data were drawn from."""

from typing import TYPE_CHECKING

from unmix.core.public_names import on_first_use

if TYPE_CHECKING:
    from unmix.density.categorical import Categorical
    from unmix.density.gaussian import Gaussian
    from unmix.density.gaussian_mixture import GaussianMixture
    from unmix.density.gliding_histogram import GlidingHistogram
    from unmix.density.histogram_density import HistogramDensity
    from unmix.density.kernel_density import KernelDensity

__all__ = ["Categorical", "Gaussian", "GaussianMixture", "GlidingHistogram", "HistogramDensity", "KernelDensity"]

on_first_use(
    __name__,
    {
        "unmix.density.categorical": "Categorical",
        "unmix.density.gaussian": "Gaussian",
        "unmix.density.gaussian_mixture": "GaussianMixture",
        "unmix.density.gliding_histogram": "GlidingHistogram",
        "unmix.density.histogram_density": "HistogramDensity",
        "unmix.density.kernel_density": "KernelDensity",
    },
)
