"""How much of the structure is real: criteria, and the choice of a model by them."""

from unmix.validation.base import Criterion, Evaluation, Score
from unmix.validation.calinski_harabasz import CalinskiHarabasz
from unmix.validation.davies_bouldin import DaviesBouldin
from unmix.validation.description_length import MDL
from unmix.validation.distance import clustering_distance
from unmix.validation.gap import GapStatistic
from unmix.validation.information import AIC, BIC, ICL
from unmix.validation.reference import uniform_reference
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
    "Criterion",
    "DaviesBouldin",
    "Evaluation",
    "GapStatistic",
    "Score",
    "Selection",
    "Separation",
    "Silhouette",
    "Stability",
    "clustering_distance",
    "select",
    "uniform_reference",
]
