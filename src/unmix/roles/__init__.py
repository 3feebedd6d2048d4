"""Roles from who-has-what: covers with a proof, roles under noise, the classical miners, and how good they are."""

from unmix.roles.access import Access
from unmix.roles.assignment import boolean_product
from unmix.roles.birthright import birthright
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
from unmix.roles.explain import explain
from unmix.roles.generalization import generalization, select_n_roles
from unmix.roles.hamming_kmeans import HammingKMeans
from unmix.roles.improbable import improbable_grants, misfits, missing_grants
from unmix.roles.mine import mine
from unmix.roles.multi_assignment_clustering import MultiAssignmentClustering
from unmix.roles.problems import Problem
from unmix.roles.rbac import RBAC
from unmix.roles.read import read
from unmix.roles.result import Grant, Roles
from unmix.roles.role_miner import CompleteMiner, FastMiner
from unmix.roles.role_names import name_roles
from unmix.roles.rounded_svd import RoundedSVD
from unmix.roles.single_assignment_clustering import SingleAssignmentClustering
from unmix.roles.svd_denoiser import SVDDenoiser
from unmix.roles.write import write_pairs

__all__ = [
    "RBAC",
    "Access",
    "CompleteMiner",
    "DiscreteBasis",
    "FastMiner",
    "Grant",
    "HammingKMeans",
    "MultiAssignmentClustering",
    "Problem",
    "Roles",
    "RoundedSVD",
    "SVDDenoiser",
    "SingleAssignmentClustering",
    "birthright",
    "boolean_product",
    "coverage",
    "deviating",
    "deviation",
    "explain",
    "generalization",
    "improbable_grants",
    "match_roles",
    "mine",
    "misfits",
    "missing_grants",
    "name_roles",
    "pareto_front",
    "read",
    "role_distance",
    "select_n_roles",
    "stability",
    "weighted_structural_complexity",
    "write_pairs",
]
