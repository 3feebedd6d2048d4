"""Information in bits: entropy, divergence, mutual information, and the price of a code that may err."""

from unmix.information.divergence import jensen_shannon, kl_divergence
from unmix.information.entropy import conditional_entropy, entropy
from unmix.information.mutual_information import mutual_information
from unmix.information.rate_distortion import RateDistortion, rate_distortion

__all__ = [
    "RateDistortion",
    "conditional_entropy",
    "entropy",
    "jensen_shannon",
    "kl_divergence",
    "mutual_information",
    "rate_distortion",
]
