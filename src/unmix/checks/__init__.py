"""Checks that a cost, a step, a loss, a criterion or a file format of your own keeps its promises, for your tests."""

from unmix.checks.cost import check_cost
from unmix.checks.criterion import check_criterion
from unmix.checks.loss import check_loss
from unmix.checks.reader import check_reader
from unmix.checks.step import check_step

__all__ = ["check_cost", "check_criterion", "check_loss", "check_reader", "check_step"]
