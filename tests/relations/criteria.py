"""Every public criterion as a subject: what it says of a small grid of models, and which of them it prefers."""

import numpy as np
from sklearn.base import BaseEstimator

from tests.relations import tables
from tests.relations.answers import choice, criterion_values
from tests.relations.subjects import Subject
from unmix.cluster import KMeans
from unmix.validation import (
    AIC,
    BIC,
    ICL,
    MDL,
    ApproximationSetCoding,
    CalinskiHarabasz,
    Consensus,
    CrossValidation,
    DaviesBouldin,
    GapStatistic,
    MixtureOrder,
    PosteriorAgreement,
    Separation,
    Silhouette,
    Stability,
    select,
)

SIZES = [1, 2, 3, 4]


class Judged(BaseEstimator):
    """K-means of one to four clusters, judged by a criterion."""

    def __init__(self, criterion):
        self.criterion = criterion

    def fit(self, X, y=None, sample_weight=None):
        found = select(
            KMeans(n_init=4, random_state=0),
            X,
            SIZES,
            criteria=[self.criterion],
            random_state=0,
            sample_weight=sample_weight,
        )
        evaluation = found.evaluations[self.criterion.name]
        self.values_ = np.array([score.value for score in evaluation.scores])
        self.choice_ = -1 if evaluation.choice is None else evaluation.choice
        return self


def judged(make, drawn: float = 0.1, chooses: bool = True) -> Subject:
    """`drawn` is what other random numbers change: in the models of too few or too many clusters, and in references."""
    return Subject(
        lambda unit: Judged(make()),
        tables.groups,
        {"values": criterion_values(), **({"choice": choice()} if chooses else {})},
        near=1e-6,
        single=1e-2,
        drawn=drawn,
        roomier=lambda unit: Judged(make()),  # far rows are set aside
        grows=False,
    )


CRITERIA: dict[str, Subject] = {
    "AIC": judged(AIC),
    "BIC": judged(BIC),
    "ICL": judged(ICL),
    "MDL": judged(MDL),
    "CalinskiHarabasz": judged(CalinskiHarabasz),
    "DaviesBouldin": judged(lambda: DaviesBouldin(n_bootstrap=3)),
    "Silhouette": judged(Silhouette),
    "CrossValidation": judged(CrossValidation, drawn=0.2),
    "GapStatistic": judged(GapStatistic, drawn=0.2),
    "MixtureOrder": judged(MixtureOrder, drawn=0.2),
    "Separation": judged(Separation, drawn=0.3),
    "Stability": judged(Stability, drawn=0.3),
    "Consensus": judged(Consensus, drawn=0.0),
    "PosteriorAgreement": judged(lambda: PosteriorAgreement(n_pairs=3, n_references=2), drawn=0.4),
    "ApproximationSetCoding": judged(
        lambda: ApproximationSetCoding(n_pairs=1, max_rows=60, n_walkers=20, sweeps=2),
        drawn=0.5,
        chooses=False,  # by one pair of halves and few walkers
    ),
}
