"""Roles from who-has-what."""

from unmix.roles.discrete_basis import DiscreteBasis
from unmix.roles.hamming_kmeans import HammingKMeans
from unmix.roles.multi_assignment_clustering import MultiAssignmentClustering
from unmix.roles.role_miner import CompleteMiner, FastMiner
from unmix.roles.rounded_svd import RoundedSVD
from unmix.roles.single_assignment_clustering import SingleAssignmentClustering
from unmix.roles.svd_denoiser import SVDDenoiser

__all__ = [
    "CompleteMiner",
    "DiscreteBasis",
    "FastMiner",
    "HammingKMeans",
    "MultiAssignmentClustering",
    "RoundedSVD",
    "SVDDenoiser",
    "SingleAssignmentClustering",
]
