"""Roles from who-has-what."""

from unmix.roles.multi_assignment_clustering import MultiAssignmentClustering
from unmix.roles.single_assignment_clustering import SingleAssignmentClustering

__all__ = ["MultiAssignmentClustering", "SingleAssignmentClustering"]
