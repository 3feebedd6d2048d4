"""Convex tools: proximal operators, the alternating direction method of multipliers, dual decomposition, and uses."""

from unmix.optimize.admm import admm
from unmix.optimize.ball import project_ball
from unmix.optimize.basis_pursuit import basis_pursuit
from unmix.optimize.box import project_box
from unmix.optimize.consensus import consensus, least_squares_part
from unmix.optimize.dual_decomposition import DualSolution, dual_decomposition
from unmix.optimize.lasso import lasso
from unmix.optimize.non_negative import project_non_negative
from unmix.optimize.norm import prox_norm
from unmix.optimize.simplex import project_simplex
from unmix.optimize.singular_value_threshold import prox_nuclear
from unmix.optimize.soft_threshold import prox_l1
from unmix.optimize.solution import Solution

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
