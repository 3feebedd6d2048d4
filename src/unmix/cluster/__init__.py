"""Grouping objects: each estimator follows scikit-learn's clustering contract.

One estimator a file and no room above it: a family is looked through by name. What several of them need is in `shared`.
"""

from typing import TYPE_CHECKING

from unmix.core.public_names import on_first_use

if TYPE_CHECKING:
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

on_first_use(
    __name__,
    {
        "unmix.cluster.binary_image": "denoise_binary_image",
        "unmix.cluster.correlation": "CorrelationClustering",
        "unmix.cluster.graph_partition": "GraphPartition",
        "unmix.cluster.growing_kmeans": "GrowingKMeans",
        "unmix.cluster.histogram_clustering": "HistogramClustering",
        "unmix.cluster.information_bottleneck": "InformationBottleneck",
        "unmix.cluster.ising": "IsingModel",
        "unmix.cluster.kmeans": "KMeans",
        "unmix.cluster.least_angle": "LeastAngleClustering",
        "unmix.cluster.maximum_cut": "MaxCut max_cut",
        "unmix.cluster.mini_batch_kmeans": "MiniBatchKMeans",
        "unmix.cluster.one_hot": "from_one_hot one_hot",
        "unmix.cluster.pairwise": "PairwiseClustering",
        "unmix.cluster.parametric_distributional_clustering": "ParametricDistributionalClustering",
        "unmix.cluster.path": "KMeansPath kmeans_path",
        "unmix.cluster.smooth_kmeans": "SmoothKMeans",
        "unmix.cluster.soft_kmeans": "SoftKMeans",
    },
)
