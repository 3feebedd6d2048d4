"""Checks that a cost or a step of your own keeps its promises: run them in your tests."""

from unmix.checks.cost import check_cost
from unmix.checks.step import check_step

__all__ = ["check_cost", "check_step"]
