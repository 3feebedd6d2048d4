"""Checks that a cost, a step or a criterion of your own keeps its promises: run them in your tests."""

from unmix.checks.cost import check_cost
from unmix.checks.criterion import check_criterion
from unmix.checks.step import check_step

__all__ = ["check_cost", "check_criterion", "check_step"]
