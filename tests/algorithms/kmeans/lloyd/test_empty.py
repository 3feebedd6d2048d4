"""A centre without rows takes a row far from the others out of its cluster: against a plain loop over the rows."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.cluster import KMeans


def one_iteration(X, weights, centers):
    """Rows to the nearest centre; those farthest from the new means to centres that got none; then the means."""
    labels = ((X[:, None] - centers) ** 2).sum(axis=2).argmin(axis=1)
    empty = [c for c in range(len(centers)) if not (labels == c).any()]
    means = [np.average(X[labels == c], axis=0, weights=weights[labels == c]) for c in np.unique(labels)]
    near = ((X[:, None] - np.array(means)) ** 2).sum(axis=2).min(axis=1)
    labels[np.argsort(-near, kind="stable")[: len(empty)]] = empty
    return np.array([np.average(X[labels == c], axis=0, weights=weights[labels == c]) for c in range(len(centers))])


@pytest.mark.parametrize(("form", "missing"), [(np.asarray, "error"), (np.asarray, "ignore"), (csr_array, "error")])
@pytest.mark.parametrize("rows", [12, 3000])
def test_the_cluster_that_gives_a_row_is_the_mean_of_the_others(rows, form, missing):
    rng = np.random.default_rng(rows)
    X, weights = rng.normal(size=(rows, 2)), rng.integers(1, 4, rows).astype(float)
    X[::5] *= 4  # some rows are far from the rest
    start = np.array([[0.0, 0.0], [1.0, 1.0], [90.0, 0.0], [0.0, 90.0]])
    model = KMeans(4, init=start, max_iter=1, missing=missing).fit(form(X), sample_weight=weights)
    np.testing.assert_allclose(model.cluster_centers_, one_iteration(X, weights, start), atol=1e-12)


def test_a_cluster_that_gives_all_its_rows_stays_where_it_is():
    X = np.array([[0.0], [1.0], [100.0]])
    model = KMeans(3, init=np.array([[50.0], [900.0], [901.0]])).fit(X, sample_weight=[0.1, 0.1, 0.7])
    assert sorted(model.cluster_centers_.ravel()) == [0.0, 1.0, 100.0]


def test_one_cluster_has_no_second_centre_to_spare():
    with pytest.warns(RuntimeWarning, match="algorithm='elkan' doesn't make sense for a single cluster"):
        KMeans(1, algorithm="elkan").fit(np.eye(3))
