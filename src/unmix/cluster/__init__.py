"""Grouping objects: each estimator follows scikit-learn's clustering contract."""

from unmix.cluster.growing_kmeans import GrowingKMeans
from unmix.cluster.kmeans import KMeans
from unmix.cluster.one_hot import from_one_hot, one_hot
from unmix.cluster.online_kmeans import OnlineKMeans
from unmix.cluster.path import KMeansPath, kmeans_path

__all__ = ["GrowingKMeans", "KMeans", "KMeansPath", "OnlineKMeans", "from_one_hot", "kmeans_path", "one_hot"]
