"""Checks that a cost, step, criterion, constraint or file format of your own keeps its promises: for your tests."""

from unmix.checks.constraint import check_constraint
from unmix.checks.cost import check_cost
from unmix.checks.criterion import check_criterion
from unmix.checks.reader import check_reader
from unmix.checks.step import check_step

__all__ = ["check_constraint", "check_cost", "check_criterion", "check_reader", "check_step"]
