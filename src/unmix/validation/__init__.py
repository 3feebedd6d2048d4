"""How much of the structure is real: criteria, and the choice of a model by them."""

from typing import TYPE_CHECKING

from unmix.core.public_names import on_first_use

if TYPE_CHECKING:
    from unmix.validation.agreement.compare import Comparison, compare
    from unmix.validation.agreement.criterion import PosteriorAgreement
    from unmix.validation.agreement.details import AgreementDetails
    from unmix.validation.agreement.of_costs import posterior_agreement
    from unmix.validation.agreement.pairing import MeasuredTwice, Replicate, SplitFeatures, SplitObjects
    from unmix.validation.approximation.contracting import CandidateSet, contracting_information
    from unmix.validation.approximation.criterion import ApproximationSetCoding, matched_halves
    from unmix.validation.approximation.entropic_sets import entropic_approximation_sets
    from unmix.validation.approximation.level_counts import sampled_approximation_sets
    from unmix.validation.approximation.sets import ApproximationSets, approximation_sets
    from unmix.validation.approximation.spanning_tree_algorithms import boruvka, kruskal, prim, reverse_delete
    from unmix.validation.approximation.spanning_trees import Graph, SpanningTrees, log_tree_count
    from unmix.validation.bits.ledger import ledger
    from unmix.validation.bits.result import Ledger
    from unmix.validation.criteria.base import Criterion, Evaluation, GridCriterion, Score
    from unmix.validation.criteria.calinski_harabasz import CalinskiHarabasz
    from unmix.validation.criteria.consensus import Consensus
    from unmix.validation.criteria.cross_validation import CrossValidation
    from unmix.validation.criteria.davies_bouldin import DaviesBouldin
    from unmix.validation.criteria.description_length import MDL
    from unmix.validation.criteria.gap import GapStatistic
    from unmix.validation.criteria.information import AIC, BIC, ICL
    from unmix.validation.criteria.mixture_order import MixtureOrder
    from unmix.validation.criteria.separation import Separation
    from unmix.validation.criteria.silhouette import Silhouette
    from unmix.validation.criteria.stability import Stability
    from unmix.validation.dependence.order import OrderDependence, order_dependence
    from unmix.validation.evidence.references.reference import uniform_reference
    from unmix.validation.evidence.resampled.distance import clustering_distance
    from unmix.validation.evidence.resampled.row_stability import row_stability
    from unmix.validation.fits.no_structure import ColumnMeans, Constant, OneCluster
    from unmix.validation.selection.picture import SelectionDisplay
    from unmix.validation.selection.result import Selection
    from unmix.validation.selection.select import select

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
    "Ledger",
    "MeasuredTwice",
    "MixtureOrder",
    "OneCluster",
    "OrderDependence",
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
    "ledger",
    "log_tree_count",
    "matched_halves",
    "order_dependence",
    "posterior_agreement",
    "prim",
    "reverse_delete",
    "row_stability",
    "sampled_approximation_sets",
    "select",
    "uniform_reference",
]

on_first_use(
    __name__,
    {
        "unmix.validation.agreement.compare": "Comparison compare",
        "unmix.validation.agreement.criterion": "PosteriorAgreement",
        "unmix.validation.agreement.details": "AgreementDetails",
        "unmix.validation.agreement.of_costs": "posterior_agreement",
        "unmix.validation.agreement.pairing": "MeasuredTwice Replicate SplitFeatures SplitObjects",
        "unmix.validation.approximation.contracting": "CandidateSet contracting_information",
        "unmix.validation.approximation.criterion": "ApproximationSetCoding matched_halves",
        "unmix.validation.approximation.entropic_sets": "entropic_approximation_sets",
        "unmix.validation.approximation.level_counts": "sampled_approximation_sets",
        "unmix.validation.approximation.sets": "ApproximationSets approximation_sets",
        "unmix.validation.approximation.spanning_tree_algorithms": "boruvka kruskal prim reverse_delete",
        "unmix.validation.approximation.spanning_trees": "Graph SpanningTrees log_tree_count",
        "unmix.validation.bits.ledger": "ledger",
        "unmix.validation.bits.result": "Ledger",
        "unmix.validation.criteria.base": "Criterion Evaluation GridCriterion Score",
        "unmix.validation.criteria.calinski_harabasz": "CalinskiHarabasz",
        "unmix.validation.criteria.consensus": "Consensus",
        "unmix.validation.criteria.cross_validation": "CrossValidation",
        "unmix.validation.criteria.davies_bouldin": "DaviesBouldin",
        "unmix.validation.criteria.description_length": "MDL",
        "unmix.validation.criteria.gap": "GapStatistic",
        "unmix.validation.criteria.information": "AIC BIC ICL",
        "unmix.validation.criteria.mixture_order": "MixtureOrder",
        "unmix.validation.criteria.separation": "Separation",
        "unmix.validation.criteria.silhouette": "Silhouette",
        "unmix.validation.criteria.stability": "Stability",
        "unmix.validation.dependence.order": "OrderDependence order_dependence",
        "unmix.validation.evidence.resampled.distance": "clustering_distance",
        "unmix.validation.evidence.references.reference": "uniform_reference",
        "unmix.validation.evidence.resampled.row_stability": "row_stability",
        "unmix.validation.fits.no_structure": "ColumnMeans Constant OneCluster",
        "unmix.validation.selection.picture": "SelectionDisplay",
        "unmix.validation.selection.result": "Selection",
        "unmix.validation.selection.select": "select",
    },
)
