"""Objects do not depend on how rows were sorted, repeated, weighted or stored."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.information import conditional_entropy, mutual_information
from unmix.information.likelihood import expected_log_likelihood
from unmix.information.objects import as_objects, row_hashes

rng = np.random.default_rng(0)
COUNTS = rng.poisson(1.0, (30, 6)).astype(float)
COUNTS[3] = 3 * COUNTS[7]
COUNTS[5] = 0


def dense(rows):
    return rows.toarray() if hasattr(rows, "toarray") else rows


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_repeats_weights_and_order_leave_no_trace(kind):
    weights = rng.integers(0, 4, len(COUNTS)).astype(float)
    expected = as_objects(COUNTS, weights)
    repeated = np.repeat(COUNTS, weights.astype(int), axis=0)
    got = as_objects(kind(repeated[rng.permutation(len(repeated))]))
    np.testing.assert_allclose(dense(got.rows), expected.rows, rtol=1e-14)
    np.testing.assert_allclose(got.mass, expected.mass, rtol=1e-13)


def test_laws_and_masses():
    objects = as_objects(COUNTS)
    full = np.delete(COUNTS, 5, axis=0)
    assert len(objects.mass) == len(np.unique(full / full.sum(axis=1, keepdims=True), axis=0)) < 29
    np.testing.assert_allclose(objects.rows.sum(axis=1), 1)
    np.testing.assert_allclose(objects.marginal, COUNTS.sum(axis=0) / COUNTS.sum())
    assert objects.shared_nats() == pytest.approx(mutual_information(COUNTS, base=np.e))
    assert objects.conditional_nats() == pytest.approx(conditional_entropy(COUNTS, base=np.e))


def test_different_rows_have_different_hashes():
    rows = np.unique(rng.integers(0, 3, (20_000, 8)).astype(float), axis=0)
    assert len(np.unique(row_hashes(rows))) == len(rows)
    assert len(np.unique(row_hashes(np.eye(500)))) == 500  # the same value in different columns


def test_huge_and_tiny_counts_keep_their_laws():
    expected = as_objects(COUNTS).rows
    for scale in (1e300, 1e-300):
        got = as_objects(COUNTS * scale)
        assert np.isfinite(got.rows).all()
        np.testing.assert_allclose(np.sort(got.rows, axis=0), np.sort(expected, axis=0), rtol=1e-12)


def test_a_cluster_without_a_feature_has_no_chance_unless_none_has_it():
    laws = np.array([[0.5, 0.5, 0.0, 0.0], [0.1, 0.1, 0.8, 0.0]])
    rows = np.array([[0.5, 0.4, 0.1, 0.0], [0.9, 0.0, 0.0, 0.1], [0.0, 0.0, 0.5, 0.5], [0.0, 0.0, 0.0, 0.0]])
    score = expected_log_likelihood(rows, laws)
    np.testing.assert_allclose(score, expected_log_likelihood(csr_array(rows), laws))
    assert score[0, 0] == -np.inf and score[0, 1] == pytest.approx(0.9 * np.log(0.1) + 0.1 * np.log(0.8))
    np.testing.assert_allclose(score[1], [0.9 * np.log(0.5), 0.9 * np.log(0.1)])  # both leave out the same tenth
    assert score[2].argmax() == 1 and (score[3] == 0).all()
