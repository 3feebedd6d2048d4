"""A weight is a repetition for every criterion: weight 2 is the row twice, weight 0 no row, whatever it holds."""

import numpy as np
import pytest

from unmix.cluster import KMeans
from unmix.datasets import blobs
from unmix.density import GaussianMixture
from unmix.validation import (
    AIC,
    BIC,
    ICL,
    MDL,
    CalinskiHarabasz,
    CrossValidation,
    DaviesBouldin,
    GapStatistic,
    PosteriorAgreement,
    Separation,
    Silhouette,
    Stability,
)
from unmix.validation.evidence.held_out.likelihood import round_clusters
from unmix.validation.fits.table import Table
from unmix.validation.selection.evaluate import evaluate_criterion

pytestmark = pytest.mark.slow_without_jit

CRITERIA = [
    AIC(), BIC(), ICL(), MDL(), CalinskiHarabasz(), DaviesBouldin(), Silhouette(), CrossValidation(n_splits=3),
    CrossValidation(loss="error", n_splits=3), GapStatistic(n_references=3), Separation(n_references=3),
    PosteriorAgreement(), Stability(n_resamples=3), Stability("subsample", n_resamples=3),
]  # fmt: skip
COUNTS = np.random.default_rng(0).integers(0, 4, 60)
HELD = blobs(60, 2, 3, separation=3.0, random_state=0)[0]
HELD[COUNTS == 0] = 1e9


def values(criterion, model, X, weights):
    keywords = {} if weights is None else {"sample_weight": weights}
    models = [model(k, random_state=0).fit(X, **keywords) for k in (1, 2, 3)]
    seen = evaluate_criterion(criterion, models, Table(X, weights, len(X)), 0, None).evaluation
    return np.array([score.value for score in seen.scores]), seen.choice


@pytest.mark.filterwarnings("ignore:.*:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", [KMeans, GaussianMixture])
@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda criterion: f"{criterion.name}")
def test_weights_are_repetitions(criterion, model):
    if isinstance(criterion, CrossValidation) and criterion.loss == "error" and model is GaussianMixture:
        pytest.skip("a mixture rebuilds no rows")
    if isinstance(criterion, PosteriorAgreement) and model is GaussianMixture:
        pytest.skip("long")
    found, choice = values(criterion, model, HELD, COUNTS.astype(float))
    expected, best = values(criterion, model, np.repeat(HELD, COUNTS, axis=0), None)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
    assert choice == best
    there = COUNTS > 0
    absent, best = values(criterion, model, HELD[there], COUNTS[there].astype(float))
    np.testing.assert_allclose(found, absent, rtol=1e-6, atol=1e-9)
    assert choice == best


def test_a_far_cluster_does_not_widen_the_others():
    """Two tight clusters and one at 1e10: the likelihood of each row is that of its own cluster's Gaussian."""
    X = np.array([[0.0], [2.0], [10.0], [12.0], [1e10], [1e10 + 2.0]])
    labels = np.array([0, 0, 1, 1, 2, 2])
    each = -0.5 - 0.5 * np.log(2 * np.pi) - np.log(3)  # one deviation from a mean, of three clusters
    np.testing.assert_allclose(round_clusters(X, labels, "classification").log_likelihood, each, rtol=1e-5)
