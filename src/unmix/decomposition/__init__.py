"""Decompositions: a table as a product of few factors."""

from unmix.decomposition.collaborative_filter import CollaborativeFilter
from unmix.decomposition.intrinsic_dimension import IntrinsicDimension, intrinsic_dimension
from unmix.decomposition.pca import PCA
from unmix.decomposition.robust_pca import RobustPCA
from unmix.decomposition.select_components import ComponentCount, select_components
from unmix.decomposition.svd import svd
from unmix.decomposition.truncated_svd import TruncatedSVD

__all__ = [
    "PCA",
    "CollaborativeFilter",
    "ComponentCount",
    "IntrinsicDimension",
    "RobustPCA",
    "TruncatedSVD",
    "intrinsic_dimension",
    "select_components",
    "svd",
]
