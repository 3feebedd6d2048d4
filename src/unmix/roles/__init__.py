"""Roles from who-has-what: covers with a proof, roles that may deviate, and the classical miners."""

from unmix.roles.access import Access
from unmix.roles.mine import mine
from unmix.roles.problems import Problem
from unmix.roles.read import read
from unmix.roles.result import Grant, Roles
from unmix.roles.write import write_pairs

__all__ = ["Access", "Grant", "Problem", "Roles", "mine", "read", "write_pairs"]
