"""Checks that a part of your own (cost, step, loss, constraint, criterion, file format) keeps its promises."""

from unmix.checks.constraint import check_constraint
from unmix.checks.cost import check_cost
from unmix.checks.criterion import check_criterion
from unmix.checks.loss import check_loss
from unmix.checks.reader import check_reader
from unmix.checks.step import check_step

__all__ = ["check_constraint", "check_cost", "check_criterion", "check_loss", "check_reader", "check_step"]
