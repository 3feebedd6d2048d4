"""Grouping objects: each estimator follows scikit-learn's clustering contract."""

from unmix.cluster.binary_image import denoise_binary_image
from unmix.cluster.correlation import CorrelationClustering
from unmix.cluster.graph_partition import GraphPartition
from unmix.cluster.growing_kmeans import GrowingKMeans
from unmix.cluster.histogram_clustering import HistogramClustering
from unmix.cluster.information_bottleneck import InformationBottleneck
from unmix.cluster.ising import IsingModel
from unmix.cluster.kmeans import KMeans
from unmix.cluster.least_angle import LeastAngleClustering
from unmix.cluster.maximum_cut import MaxCut, max_cut
from unmix.cluster.mini_batch_kmeans import MiniBatchKMeans
from unmix.cluster.one_hot import from_one_hot, one_hot
from unmix.cluster.pairwise import PairwiseClustering
from unmix.cluster.parametric_distributional_clustering import ParametricDistributionalClustering
from unmix.cluster.path import KMeansPath, kmeans_path
from unmix.cluster.smooth_kmeans import SmoothKMeans
from unmix.cluster.soft_kmeans import SoftKMeans

__all__ = [
    "CorrelationClustering",
    "GraphPartition",
    "GrowingKMeans",
    "HistogramClustering",
    "InformationBottleneck",
    "IsingModel",
    "KMeans",
    "KMeansPath",
    "LeastAngleClustering",
    "MaxCut",
    "MiniBatchKMeans",
    "PairwiseClustering",
    "ParametricDistributionalClustering",
    "SmoothKMeans",
    "SoftKMeans",
    "denoise_binary_image",
    "from_one_hot",
    "kmeans_path",
    "max_cut",
    "one_hot",
]
