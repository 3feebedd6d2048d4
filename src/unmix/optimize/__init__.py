"""Convex tools: proximal operators, the alternating direction method of multipliers, dual decomposition, and uses."""

from typing import TYPE_CHECKING

from unmix.core.public_names import on_first_use

if TYPE_CHECKING:
    from unmix.optimize.admm import admm
    from unmix.optimize.ball import project_ball
    from unmix.optimize.box import project_box
    from unmix.optimize.consensus import consensus, least_squares_part
    from unmix.optimize.duality.dual_decomposition import DualSolution, dual_decomposition
    from unmix.optimize.non_negative import project_non_negative
    from unmix.optimize.norm import prox_norm
    from unmix.optimize.simplex import project_simplex
    from unmix.optimize.singular_value_threshold import prox_nuclear
    from unmix.optimize.soft_threshold import prox_l1
    from unmix.optimize.solution import Solution
    from unmix.optimize.sparse_regression.basis_pursuit import basis_pursuit
    from unmix.optimize.sparse_regression.lasso import lasso

__all__ = [
    "DualSolution",
    "Solution",
    "admm",
    "basis_pursuit",
    "consensus",
    "dual_decomposition",
    "lasso",
    "least_squares_part",
    "project_ball",
    "project_box",
    "project_non_negative",
    "project_simplex",
    "prox_l1",
    "prox_norm",
    "prox_nuclear",
]

on_first_use(
    __name__,
    {
        "unmix.optimize.admm": "admm",
        "unmix.optimize.ball": "project_ball",
        "unmix.optimize.sparse_regression.basis_pursuit": "basis_pursuit",
        "unmix.optimize.box": "project_box",
        "unmix.optimize.consensus": "consensus least_squares_part",
        "unmix.optimize.duality.dual_decomposition": "DualSolution dual_decomposition",
        "unmix.optimize.sparse_regression.lasso": "lasso",
        "unmix.optimize.non_negative": "project_non_negative",
        "unmix.optimize.norm": "prox_norm",
        "unmix.optimize.simplex": "project_simplex",
        "unmix.optimize.singular_value_threshold": "prox_nuclear",
        "unmix.optimize.soft_threshold": "prox_l1",
        "unmix.optimize.solution": "Solution",
    },
)
