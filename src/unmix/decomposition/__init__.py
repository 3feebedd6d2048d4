"""Decompositions: a table as a product of few factors."""

from unmix.decomposition.pca import PCA
from unmix.decomposition.robust_pca import RobustPCA
from unmix.decomposition.svd import svd
from unmix.decomposition.truncated_svd import TruncatedSVD

__all__ = ["PCA", "RobustPCA", "TruncatedSVD", "svd"]
