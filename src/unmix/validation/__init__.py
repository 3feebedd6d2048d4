"""How much of the structure is real: criteria, and the choice of a model by them."""

from unmix.validation.base import Criterion, Evaluation, Score
from unmix.validation.baseline import ColumnMeans
from unmix.validation.calinski_harabasz import CalinskiHarabasz
from unmix.validation.consensus import Consensus
from unmix.validation.cross_validation import CrossValidation
from unmix.validation.davies_bouldin import DaviesBouldin
from unmix.validation.description_length import MDL
from unmix.validation.distance import clustering_distance
from unmix.validation.gap import GapStatistic
from unmix.validation.information import AIC, BIC, ICL
from unmix.validation.mixture_order import MixtureOrder
from unmix.validation.reference import uniform_reference
from unmix.validation.row_stability import row_stability
from unmix.validation.select import select
from unmix.validation.selection import Selection
from unmix.validation.separation import Separation
from unmix.validation.silhouette import Silhouette
from unmix.validation.stability import Stability

__all__ = [
    "AIC",
    "BIC",
    "ICL",
    "MDL",
    "CalinskiHarabasz",
    "ColumnMeans",
    "Consensus",
    "Criterion",
    "CrossValidation",
    "DaviesBouldin",
    "Evaluation",
    "GapStatistic",
    "MixtureOrder",
    "Score",
    "Selection",
    "Separation",
    "Silhouette",
    "Stability",
    "clustering_distance",
    "row_stability",
    "select",
    "uniform_reference",
]
