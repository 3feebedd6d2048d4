"""Source separation: signals from their mixtures."""

from unmix.separation.joint_diagonalize import JointDiagonalization, joint_diagonalize
from unmix.separation.second_order_ica import SecondOrderICA

__all__ = ["JointDiagonalization", "SecondOrderICA", "joint_diagonalize"]
