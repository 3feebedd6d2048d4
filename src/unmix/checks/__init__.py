"""Checks that a cost, a step or a file format of your own keeps its promises: run them in your tests."""

from unmix.checks.cost import check_cost
from unmix.checks.reader import check_reader
from unmix.checks.step import check_step

__all__ = ["check_cost", "check_reader", "check_step"]
