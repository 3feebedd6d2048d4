"""Grouping objects: each estimator follows scikit-learn's clustering contract."""

from unmix.cluster.histogram_clustering import HistogramClustering
from unmix.cluster.kmeans import KMeans
from unmix.cluster.one_hot import from_one_hot, one_hot
from unmix.cluster.parametric_distributional_clustering import ParametricDistributionalClustering
from unmix.cluster.path import KMeansPath, kmeans_path
from unmix.cluster.soft_kmeans import SoftKMeans

__all__ = [
    "HistogramClustering",
    "KMeans",
    "KMeansPath",
    "ParametricDistributionalClustering",
    "SoftKMeans",
    "from_one_hot",
    "kmeans_path",
    "one_hot",
]
