"""Roles from who-has-what: covers with a proof, roles that may deviate, and the classical miners."""

from unmix.roles.access import Access
from unmix.roles.mine import mine
from unmix.roles.problems import Problem
from unmix.roles.read import read, write_pairs
from unmix.roles.result import Grant, Roles

__all__ = ["Access", "Grant", "Problem", "Roles", "mine", "read", "write_pairs"]
