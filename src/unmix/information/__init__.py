"""Information in bits: entropy, divergence, mutual information, capacity, and the price of a code that may err."""

from typing import TYPE_CHECKING

from unmix.core.public_names import on_first_use

if TYPE_CHECKING:
    from unmix.information.capacity import Capacity, capacity
    from unmix.information.channel_coding import RandomCode, code_rate, random_code
    from unmix.information.conditional_information import conditional_mutual_information
    from unmix.information.differential import differential_entropy, gaussian_entropy
    from unmix.information.divergence import jensen_shannon, kl_divergence
    from unmix.information.entropy import conditional_entropy, entropy, joint_entropy
    from unmix.information.mutual_information import mutual_information
    from unmix.information.rate_distortion import RateDistortion, rate_distortion
    from unmix.information.typical_set import TypicalSet, typical_set

__all__ = [
    "Capacity",
    "RandomCode",
    "RateDistortion",
    "TypicalSet",
    "capacity",
    "code_rate",
    "conditional_entropy",
    "conditional_mutual_information",
    "differential_entropy",
    "entropy",
    "gaussian_entropy",
    "jensen_shannon",
    "joint_entropy",
    "kl_divergence",
    "mutual_information",
    "random_code",
    "rate_distortion",
    "typical_set",
]

on_first_use(
    __name__,
    {
        "unmix.information.capacity": "Capacity capacity",
        "unmix.information.channel_coding": "RandomCode code_rate random_code",
        "unmix.information.conditional_information": "conditional_mutual_information",
        "unmix.information.differential": "differential_entropy gaussian_entropy",
        "unmix.information.divergence": "jensen_shannon kl_divergence",
        "unmix.information.entropy": "conditional_entropy entropy joint_entropy",
        "unmix.information.mutual_information": "mutual_information",
        "unmix.information.rate_distortion": "RateDistortion rate_distortion",
        "unmix.information.typical_set": "TypicalSet typical_set",
    },
)
