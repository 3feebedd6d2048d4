"""Tables with a known answer: clusters at a stated distance, and tables without any."""

from unmix.datasets.blobs import blobs
from unmix.datasets.null import gaussian, skewed, student_t, uniform
from unmix.datasets.planted_roles import PlantedRoles, planted_roles
from unmix.datasets.tibshirani import tibshirani

__all__ = ["PlantedRoles", "blobs", "gaussian", "planted_roles", "skewed", "student_t", "tibshirani", "uniform"]
