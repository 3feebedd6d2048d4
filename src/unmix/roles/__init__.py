"""Roles from who-has-what."""

from unmix.roles.assignment import boolean_product
from unmix.roles.discrete_basis import DiscreteBasis
from unmix.roles.evaluation import (
    coverage,
    deviating,
    deviation,
    match_roles,
    pareto_front,
    role_distance,
    stability,
    weighted_structural_complexity,
)
from unmix.roles.generalization import generalization, select_n_roles
from unmix.roles.hamming_kmeans import HammingKMeans
from unmix.roles.improbable import improbable_grants, misfits, missing_grants
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
    "boolean_product",
    "coverage",
    "deviating",
    "deviation",
    "generalization",
    "improbable_grants",
    "match_roles",
    "misfits",
    "missing_grants",
    "pareto_front",
    "role_distance",
    "select_n_roles",
    "stability",
    "weighted_structural_complexity",
]
