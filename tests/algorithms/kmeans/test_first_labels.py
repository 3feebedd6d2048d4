"""Labels that methods begin with, against Lloyd's conditions, scikit-learn, and the fit of many rows."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from unmix.algorithms.kmeans import fit as kmeans
from unmix.algorithms.kmeans.first_labels import FEW_ROWS, first_labels, is_few
from unmix.algorithms.kmeans.multi_start import Settings
from unmix.io.dispatch import as_blocks


def groups(n, k=4, d=3, seed=0):
    rng = np.random.default_rng(seed)
    return 4 * rng.normal(size=(k, d))[rng.integers(k, size=n)] + rng.normal(size=(n, d))


def means(X, labels, weights=None):
    return np.stack([np.average(X[labels == c], axis=0, weights=weights) for c in np.unique(labels)])


@pytest.mark.parametrize("settings", [Settings(), Settings(swaps=20)])
def test_every_row_is_with_the_nearest_mean(settings):
    X = groups(200)
    labels = first_labels(as_blocks(X), None, 4, settings, 0)
    distances = ((X[:, None] - means(X, labels)) ** 2).sum(axis=2)
    np.testing.assert_array_equal(distances.argmin(axis=1), labels)


def test_the_best_of_some_starts_costs_what_scikit_learn_finds():
    X = groups(300)
    labels = first_labels(as_blocks(X), None, 4, Settings(swaps=20), 1)
    cost = ((X - means(X, labels)[labels]) ** 2).sum()
    assert cost <= 1.001 * KMeans(4, n_init=20, random_state=0).fit(X).inertia_


def test_neither_order_nor_repetition_nor_form_matters():
    from scipy.sparse import csr_array

    X = np.where(groups(120) > 0, groups(120), 0.0)
    labels = first_labels(as_blocks(X), None, 3, Settings(), 5)
    order = np.random.default_rng(1).permutation(120)
    moved = first_labels(as_blocks(X[order]), None, 3, Settings(), 5)
    np.testing.assert_array_equal(moved, labels[order])
    weights = np.arange(120) % 3.0
    weighted = first_labels(as_blocks(X), weights, 3, Settings(), 5)
    repeated = first_labels(as_blocks(np.repeat(X, np.arange(120) % 3, axis=0)), None, 3, Settings(), 5)
    np.testing.assert_array_equal(np.repeat(weighted, np.arange(120) % 3), repeated)
    assert len(np.unique(first_labels(as_blocks(csr_array(X)), None, 3, Settings(), 5))) == 3


def test_many_rows_go_through_the_whole_fit():
    X = groups(FEW_ROWS + 1)
    assert not is_few(*X.shape, 4) and is_few(300, 6, 8)
    whole = kmeans.fit(as_blocks(X), None, 4, Settings(), 2).labels
    np.testing.assert_array_equal(first_labels(as_blocks(X), None, 4, Settings(), 2), whole)
