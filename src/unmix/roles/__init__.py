"""Roles from who-has-what: covers with a proof, roles under noise, the classical miners, and how good they are."""

from unmix.roles.access.access import Access
from unmix.roles.access.oddities import Problem
from unmix.roles.access.read import read
from unmix.roles.access.write import write_pairs
from unmix.roles.change.compare import Change, compare
from unmix.roles.classical.best_assignment import boolean_product
from unmix.roles.classical.discrete_basis import DiscreteBasis
from unmix.roles.classical.hamming_kmeans import HammingKMeans
from unmix.roles.classical.role_miner import CompleteMiner, FastMiner
from unmix.roles.classical.rounded_svd import RoundedSVD
from unmix.roles.classical.svd_denoiser import SVDDenoiser
from unmix.roles.continuation.matching import match_over_time
from unmix.roles.description.comparison import compare_fits
from unmix.roles.duties.checked import conflicts, without_conflicts
from unmix.roles.duties.conflicts import Conflict
from unmix.roles.duties.duty import Duty, make_duty
from unmix.roles.evaluation.generalization import generalization, select_n_roles
from unmix.roles.evaluation.measures import (
    coverage,
    deviating,
    deviation,
    match_roles,
    pareto_front,
    role_distance,
    stability,
    weighted_structural_complexity,
)
from unmix.roles.explanation.annotate import annotate
from unmix.roles.explanation.birthright import birthright
from unmix.roles.explanation.exceptions import explain
from unmix.roles.explanation.improbable import improbable_grants, misfits, missing_grants
from unmix.roles.explanation.proposals import Proposal, proposals
from unmix.roles.explanation.role_names import name_roles
from unmix.roles.export.export import export
from unmix.roles.export.json_document import schema
from unmix.roles.meaning.birthright import AttributeBirthright, attribute_birthright
from unmix.roles.meaning.misfits import AttributeMisfit, attribute_misfits
from unmix.roles.meaning.rules import RoleRule, role_rules
from unmix.roles.mine import mine
from unmix.roles.noise.multi_assignment_clustering import MultiAssignmentClustering
from unmix.roles.noise.single_assignment_clustering import SingleAssignmentClustering
from unmix.roles.problem.result import Grant, Roles
from unmix.roles.rbac import RBAC
from unmix.roles.review.decisions import Decisions, decide_exception, decide_role
from unmix.roles.review.file import read_decisions, write_decisions
from unmix.roles.review.register import review
from unmix.roles.update import update
from unmix.roles.which_fits import which_fits

__all__ = [
    "RBAC",
    "Access",
    "AttributeBirthright",
    "AttributeMisfit",
    "Change",
    "CompleteMiner",
    "Conflict",
    "Decisions",
    "DiscreteBasis",
    "Duty",
    "FastMiner",
    "Grant",
    "HammingKMeans",
    "MultiAssignmentClustering",
    "Problem",
    "Proposal",
    "RoleRule",
    "Roles",
    "RoundedSVD",
    "SVDDenoiser",
    "SingleAssignmentClustering",
    "annotate",
    "attribute_birthright",
    "attribute_misfits",
    "birthright",
    "boolean_product",
    "compare",
    "compare_fits",
    "conflicts",
    "coverage",
    "decide_exception",
    "decide_role",
    "deviating",
    "deviation",
    "explain",
    "export",
    "generalization",
    "improbable_grants",
    "make_duty",
    "match_over_time",
    "match_roles",
    "mine",
    "misfits",
    "missing_grants",
    "name_roles",
    "pareto_front",
    "proposals",
    "read",
    "read_decisions",
    "review",
    "role_distance",
    "role_rules",
    "schema",
    "select_n_roles",
    "stability",
    "update",
    "weighted_structural_complexity",
    "which_fits",
    "without_conflicts",
    "write_decisions",
    "write_pairs",
]
