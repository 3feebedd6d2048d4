"""How much of the structure is real: criteria, and the choice of a model by them."""

from unmix.validation.base import Criterion, Evaluation, Score
from unmix.validation.display import SelectionDisplay
from unmix.validation.distance import clustering_distance
from unmix.validation.information import AIC, BIC
from unmix.validation.reference import uniform_reference
from unmix.validation.select import select
from unmix.validation.selection import Selection
from unmix.validation.separation import Separation
from unmix.validation.stability import Stability
from unmix.validation.trivial import Constant, OneCluster

__all__ = [
    "AIC",
    "BIC",
    "Constant",
    "Criterion",
    "Evaluation",
    "OneCluster",
    "Score",
    "Selection",
    "SelectionDisplay",
    "Separation",
    "Stability",
    "clustering_distance",
    "select",
    "uniform_reference",
]
