"""The disagreements of correlation clustering, against their definition pair by pair."""

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.costs.correlation import Correlation
from unmix.costs.links import make_links


@pytest.mark.parametrize("threshold", [-0.4, 0.0, 0.7])
@pytest.mark.parametrize("form", [np.float64, np.float32, csr_array])
def test_total_is_the_sum_over_pairs(threshold, form):
    rng = np.random.default_rng(0)
    S = np.rint(4 * rng.normal(size=(23, 23))) / 4
    S = S + S.T
    labels = rng.integers(0, 4, size=23)
    expected = sum(
        max(0.0, threshold - S[i, j]) if labels[i] == labels[j] else max(0.0, S[i, j] - threshold)
        for i, j in combinations(range(23), 2)
    )
    data = make_links(form(S) if form is csr_array else S.astype(form))
    assert np.isclose(Correlation(threshold).total(data, labels), expected, rtol=1e-6 if form is np.float32 else 1e-13)


def test_agreement_with_every_pair_costs_nothing_at_all():
    labels = np.arange(30) % 3
    S = np.where(labels[:, None] == labels, 0.1, -0.3)
    assert Correlation(0.0).total(make_links(S), labels) == 0.0


def test_total_makes_no_second_table():
    rng = np.random.default_rng(1)
    S = rng.normal(size=(600, 600))
    data, labels = make_links(S + S.T), rng.integers(0, 3, size=600)
    tracemalloc.start()
    Correlation(0.2).total(data, labels)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < S.nbytes / 10
