"""Tables with a known answer: clusters at a stated distance, and tables without any."""

from unmix.datasets.blobs import blobs
from unmix.datasets.null import gaussian, skewed, student_t, uniform
from unmix.datasets.tibshirani import tibshirani

__all__ = ["blobs", "gaussian", "skewed", "student_t", "tibshirani", "uniform"]
