"""What a criterion can be asked about: clusters, not factors; rows of features, not dissimilarities.

Without this, a matrix of distances would be read as a table of features, and a number of factors as one of clusters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.validation.agreement.criterion import PosteriorAgreement
from unmix.validation.approximation.criterion import ApproximationSetCoding
from unmix.validation.criteria.calinski_harabasz import CalinskiHarabasz
from unmix.validation.criteria.consensus import Consensus
from unmix.validation.criteria.cross_validation import CrossValidation
from unmix.validation.criteria.davies_bouldin import DaviesBouldin
from unmix.validation.criteria.gap import GapStatistic
from unmix.validation.criteria.information import AIC, ICL
from unmix.validation.criteria.mixture_order import MixtureOrder
from unmix.validation.criteria.separation import Separation
from unmix.validation.criteria.silhouette import Silhouette
from unmix.validation.criteria.stability import Stability
from unmix.validation.evidence.held_out.likelihood import takes_pairs
from unmix.validation.evidence.references.profile_reference import takes_no_negative_values
from unmix.validation.fits.no_structure import labels_rows, predicts_entries
from unmix.validation.fits.refit import last_step

ROWS = (
    ApproximationSetCoding, CalinskiHarabasz, Consensus, DaviesBouldin, GapStatistic, MixtureOrder, Separation,
    Silhouette, Stability,
)  # fmt: skip
CLUSTERS = (ICL, PosteriorAgreement, *ROWS)


def refuse_unsuitable(criterion: Any, estimator: Any) -> None:
    """One sentence where the criterion's question has no meaning for this model; criteria of others are let through."""
    name, model = type(criterion).__name__, last_step(estimator)
    if isinstance(criterion, CLUSTERS) and not labels_rows(estimator):
        raise TypeError(
            f"{name} judges clusters, and {type(model).__name__} puts rows in none; "
            "give for example BIC() or CrossValidation('entries')"
        )
    if isinstance(criterion, (AIC, CrossValidation, *ROWS)) and takes_pairs(model) and not _reads(criterion):
        raise TypeError(
            f"{name} judges rows of features, and {type(model).__name__} takes a number for each pair of objects; "
            "judge dissimilarities by Silhouette('precomputed'), with PairwiseClustering by PosteriorAgreement(), or "
            "embed them first (ConstantShiftEmbedding)"
        )
    if isinstance(criterion, Separation) and takes_no_negative_values(estimator):
        raise TypeError(
            f"Separation compares with Gaussian clouds, and {type(model).__name__} takes no negative values; "
            "give Consensus() instead"
        )


def refuse_other_predictions(model: Any, X: np.ndarray) -> None:
    """A model that predicts something else than one label for each row; `model` is fitted on X."""
    if predicts_entries(model):
        return
    if hasattr(model, "predict") and not hasattr(model, "fit_predict") and np.ndim(model.predict(X[:2])) != 1:
        raise TypeError(
            f"{type(last_step(model)).__name__} predicts no label for each row, so there are no clusters to judge; "
            "select takes clusterers, mixtures and decompositions"
        )


def _reads(criterion: Any) -> bool:
    """Whether it was told that the table holds dissimilarities, or makes its own pair of samples of it."""
    return getattr(criterion, "metric", None) == "precomputed" or getattr(criterion, "pair", None) is not None
