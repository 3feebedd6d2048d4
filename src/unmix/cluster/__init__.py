"""Grouping objects: each estimator follows scikit-learn's clustering contract."""

from unmix.cluster.information_bottleneck import InformationBottleneck
from unmix.cluster.kmeans import KMeans
from unmix.cluster.one_hot import from_one_hot, one_hot
from unmix.cluster.path import KMeansPath, kmeans_path

__all__ = ["InformationBottleneck", "KMeans", "KMeansPath", "from_one_hot", "kmeans_path", "one_hot"]
