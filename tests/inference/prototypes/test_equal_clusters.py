"""Clusters that count alike: their Gibbs law by definition, and groups that clusters with masses miss."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.costs.histogram import Histogram
from unmix.inference.prototypes.equal_clusters import anneal_equal, shares

rng = np.random.default_rng(1)
LAWS = rng.dirichlet(np.full(40, 3.0), 2)
COUNTS = np.array([rng.multinomial(60, LAWS[i % 2]) for i in range(100)], float)
COST = Histogram(COUNTS.sum(axis=0) / COUNTS.sum(), 1.0, 60.0)


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_shares_are_those_of_the_gibbs_law_without_masses(make):
    T = 0.05
    q = shares(make(COUNTS), COST, LAWS, T)
    h = COST.distances(COUNTS, LAWS)
    law = np.exp(-(h - h.min(axis=1, keepdims=True)) / T)
    assert np.allclose(q, law / law.sum(axis=1, keepdims=True), atol=1e-12)


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_planted_groups_are_found(make):
    counts = make(COUNTS)
    labels = anneal_equal(counts, COST, 2, COST.critical_temperature(counts), 0)
    assert max(np.mean(labels == np.arange(100) % 2), np.mean(labels != np.arange(100) % 2)) > 0.95


def test_rows_that_are_all_equal_have_no_clusters():
    assert (anneal_equal(np.ones((4, 3)), Histogram(np.full(3, 1 / 3), 1.0, 3.0), 2, 0.0, 0) == 0).all()
