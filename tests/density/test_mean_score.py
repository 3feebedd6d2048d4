"""Means of log-densities of which some are minus infinity, and what cross-validation makes of them."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score

from unmix.density import Categorical, GlidingHistogram, HistogramDensity
from unmix.density.mean_score import LEAST, mean_score

X = np.random.default_rng(0).normal(size=(120, 2))
LETTERS = np.random.default_rng(1).choice(list("aaabbc"), (60, 2))
LETTERS[3] = ["x", "y"]


def test_zero_counts_as_the_smallest_number():
    scores, weights = np.array([-1.0, -np.inf, -2.0]), np.array([1.0, 1.0, 2.0])
    assert mean_score(scores[[0, 2]]) == -1.5
    assert mean_score(scores, weights) == pytest.approx((-1 + LEAST - 4) / 4)
    assert np.exp(LEAST) > 0


@pytest.mark.parametrize(
    "model, data",
    [(HistogramDensity(), X), (GlidingHistogram(0.5), X), (Categorical(), LETTERS)],
    ids=lambda v: type(v).__name__,
)
def test_folds_with_rows_that_cannot_occur_have_a_score(model, data):
    scores = cross_val_score(model, data, cv=5)
    assert np.isfinite(scores).all()
    assert np.isneginf(model.fit(data[10:30]).score_samples(data)).any(), "single rows still say 0"


def test_a_width_is_chosen_by_how_few_rows_stand_alone():
    search = GridSearchCV(GlidingHistogram(), {"width": [1e-3, 0.1, 2.0]}, cv=4).fit(X)
    assert search.best_params_ == {"width": 2.0}
    assert (np.diff(search.cv_results_["mean_test_score"]) > 0).all()
