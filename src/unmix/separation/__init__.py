"""Source separation: signals from their mixtures."""

from typing import TYPE_CHECKING

from unmix.core.public_names import on_first_use

if TYPE_CHECKING:
    from unmix.separation.fast_ica import FastICA
    from unmix.separation.indices import amari_index, minimum_distance_index
    from unmix.separation.infomax import Infomax
    from unmix.separation.jade import JADE
    from unmix.separation.joint_diagonalize import JointDiagonalization, joint_diagonalize
    from unmix.separation.match_sources import match_sources
    from unmix.separation.online_ica import OnlineICA
    from unmix.separation.second_order_ica import SecondOrderICA
    from unmix.separation.sir import sir
    from unmix.separation.stability import ComponentStability, component_stability
    from unmix.separation.unmixing import GaussianSourcesWarning
    from unmix.separation.whiten import whiten

__all__ = [
    "JADE",
    "ComponentStability",
    "FastICA",
    "GaussianSourcesWarning",
    "Infomax",
    "JointDiagonalization",
    "OnlineICA",
    "SecondOrderICA",
    "amari_index",
    "component_stability",
    "joint_diagonalize",
    "match_sources",
    "minimum_distance_index",
    "sir",
    "whiten",
]

on_first_use(
    __name__,
    {
        "unmix.separation.fast_ica": "FastICA",
        "unmix.separation.indices": "amari_index minimum_distance_index",
        "unmix.separation.infomax": "Infomax",
        "unmix.separation.jade": "JADE",
        "unmix.separation.joint_diagonalize": "JointDiagonalization joint_diagonalize",
        "unmix.separation.match_sources": "match_sources",
        "unmix.separation.online_ica": "OnlineICA",
        "unmix.separation.second_order_ica": "SecondOrderICA",
        "unmix.separation.sir": "sir",
        "unmix.separation.stability": "ComponentStability component_stability",
        "unmix.separation.unmixing": "GaussianSourcesWarning",
        "unmix.separation.whiten": "whiten",
    },
)
