"""Grouping objects: each estimator follows scikit-learn's clustering contract."""

from unmix.cluster.binary_image import denoise_binary_image
from unmix.cluster.ising import IsingModel
from unmix.cluster.kmeans import KMeans
from unmix.cluster.maximum_cut import MaxCut, max_cut
from unmix.cluster.one_hot import from_one_hot, one_hot
from unmix.cluster.path import KMeansPath, kmeans_path

__all__ = [
    "IsingModel",
    "KMeans",
    "KMeansPath",
    "MaxCut",
    "denoise_binary_image",
    "from_one_hot",
    "kmeans_path",
    "max_cut",
    "one_hot",
]
