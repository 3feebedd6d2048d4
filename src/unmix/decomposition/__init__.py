"""Decompositions: a table as a product of few factors."""

from unmix.decomposition.nmf import NMF
from unmix.decomposition.pca import PCA
from unmix.decomposition.semi_nmf import SemiNMF
from unmix.decomposition.svd import svd
from unmix.decomposition.truncated_svd import TruncatedSVD

__all__ = ["NMF", "PCA", "SemiNMF", "TruncatedSVD", "svd"]
