"""How much of the structure is real: criteria, and the choice of a model by them."""

from unmix.validation.agreement import posterior_agreement
from unmix.validation.agreement_criterion import PosteriorAgreement
from unmix.validation.agreement_details import AgreementDetails
from unmix.validation.approximation_set_coding import ApproximationSetCoding, matched_halves
from unmix.validation.approximation_sets import ApproximationSets, approximation_sets
from unmix.validation.base import Criterion, Evaluation, GridCriterion, Score
from unmix.validation.calinski_harabasz import CalinskiHarabasz
from unmix.validation.compare import Comparison, compare
from unmix.validation.consensus import Consensus
from unmix.validation.contracting import CandidateSet, contracting_information
from unmix.validation.cross_validation import CrossValidation
from unmix.validation.davies_bouldin import DaviesBouldin
from unmix.validation.description_length import MDL
from unmix.validation.display import SelectionDisplay
from unmix.validation.distance import clustering_distance
from unmix.validation.entropic_sets import entropic_approximation_sets
from unmix.validation.gap import GapStatistic
from unmix.validation.information import AIC, BIC, ICL
from unmix.validation.level_counts import sampled_approximation_sets
from unmix.validation.mixture_order import MixtureOrder
from unmix.validation.pairing import MeasuredTwice, Replicate, SplitFeatures, SplitObjects
from unmix.validation.reference import uniform_reference
from unmix.validation.row_stability import row_stability
from unmix.validation.select import select
from unmix.validation.selection import Selection
from unmix.validation.separation import Separation
from unmix.validation.silhouette import Silhouette
from unmix.validation.spanning_tree_algorithms import boruvka, kruskal, prim, reverse_delete
from unmix.validation.spanning_trees import Graph, SpanningTrees, log_tree_count
from unmix.validation.stability import Stability
from unmix.validation.trivial import ColumnMeans, Constant, OneCluster

__all__ = [
    "AIC",
    "BIC",
    "ICL",
    "MDL",
    "AgreementDetails",
    "ApproximationSetCoding",
    "ApproximationSets",
    "CalinskiHarabasz",
    "CandidateSet",
    "ColumnMeans",
    "Comparison",
    "Consensus",
    "Constant",
    "Criterion",
    "CrossValidation",
    "DaviesBouldin",
    "Evaluation",
    "GapStatistic",
    "Graph",
    "GridCriterion",
    "MeasuredTwice",
    "MixtureOrder",
    "OneCluster",
    "PosteriorAgreement",
    "Replicate",
    "Score",
    "Selection",
    "SelectionDisplay",
    "Separation",
    "Silhouette",
    "SpanningTrees",
    "SplitFeatures",
    "SplitObjects",
    "Stability",
    "approximation_sets",
    "boruvka",
    "clustering_distance",
    "compare",
    "contracting_information",
    "entropic_approximation_sets",
    "kruskal",
    "log_tree_count",
    "matched_halves",
    "posterior_agreement",
    "prim",
    "reverse_delete",
    "row_stability",
    "sampled_approximation_sets",
    "select",
    "uniform_reference",
]
