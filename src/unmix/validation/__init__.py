"""How much of the structure is real: criteria, and the choice of a model by them."""

from unmix.validation.agreement import AgreementDetails, posterior_agreement
from unmix.validation.agreement_criterion import PosteriorAgreement
from unmix.validation.base import Criterion, Evaluation, Score
from unmix.validation.compare import Comparison, compare
from unmix.validation.distance import clustering_distance
from unmix.validation.information import AIC, BIC
from unmix.validation.pairing import MeasuredTwice, Replicate, SplitFeatures, SplitObjects
from unmix.validation.reference import uniform_reference
from unmix.validation.select import select
from unmix.validation.selection import Selection
from unmix.validation.separation import Separation
from unmix.validation.stability import Stability

__all__ = [
    "AIC",
    "BIC",
    "AgreementDetails",
    "Comparison",
    "Criterion",
    "Evaluation",
    "MeasuredTwice",
    "PosteriorAgreement",
    "Replicate",
    "Score",
    "Selection",
    "Separation",
    "SplitFeatures",
    "SplitObjects",
    "Stability",
    "clustering_distance",
    "compare",
    "posterior_agreement",
    "select",
    "uniform_reference",
]
