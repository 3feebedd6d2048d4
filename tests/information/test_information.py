"""Entropies and divergences against sums written out, scipy, scikit-learn and textbook identities."""

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy as scipy_entropy
from sklearn.metrics import mutual_info_score

from unmix.information import conditional_entropy, entropy, jensen_shannon, kl_divergence, mutual_information

rng = np.random.default_rng(0)
COUNTS = rng.poisson(0.8, (7, 5))


def test_entropy_and_divergence_agree_with_scipy():
    p, q = rng.random(6), rng.random(6)
    for base in (2, np.e, 10):
        assert entropy(p, base=base) == pytest.approx(scipy_entropy(p, base=base))
        assert kl_divergence(p, q, base=base) == pytest.approx(scipy_entropy(p, q, base=base))
        assert jensen_shannon(p, q, base=base) == pytest.approx(jensenshannon(p, q, base=base) ** 2)


def test_mutual_information_agrees_with_scikit_learn():
    expected = mutual_info_score(None, None, contingency=COUNTS)
    assert mutual_information(COUNTS, base=np.e) == pytest.approx(expected)


def test_chain_rules():
    joint, rows, columns = entropy(COUNTS), entropy(COUNTS.sum(axis=1)), entropy(COUNTS.sum(axis=0))
    assert conditional_entropy(COUNTS) == pytest.approx(joint - rows)
    assert conditional_entropy(COUNTS.T) == pytest.approx(joint - columns)
    assert mutual_information(COUNTS) == pytest.approx(columns - conditional_entropy(COUNTS))


def test_weighted_jensen_shannon_is_the_information_about_the_origin():
    p, q = rng.dirichlet(np.ones(4), 2)
    table = np.array([0.3 * p, 0.7 * q])
    assert jensen_shannon(p, q, weights=(0.3, 0.7)) == pytest.approx(mutual_information(table))


@pytest.mark.parametrize("kind", [csr_array, csr_matrix, coo_array])
def test_sparse_gives_the_dense_answer(kind):
    other = COUNTS + (COUNTS > 0)
    for measure in (entropy, conditional_entropy, mutual_information):
        assert measure(kind(COUNTS)) == pytest.approx(measure(COUNTS))
    for measure in (kl_divergence, jensen_shannon):
        assert measure(kind(COUNTS), kind(other)) == pytest.approx(measure(COUNTS, other))
    holes = np.where(COUNTS.max() > COUNTS, COUNTS, 0)
    assert kl_divergence(kind(COUNTS), kind(holes)) == np.inf
    assert kl_divergence(kind(holes), kind(COUNTS)) == pytest.approx(kl_divergence(holes, COUNTS))


def test_sparse_tables_are_not_made_dense():
    n = 200_000  # dense, this table would hold 4e10 numbers
    diagonal = csr_array((np.ones(n), (np.arange(n), np.arange(n))), shape=(n, n))
    assert mutual_information(diagonal) == pytest.approx(np.log2(n))
    assert conditional_entropy(diagonal) == pytest.approx(0, abs=1e-9)
    assert jensen_shannon(diagonal, diagonal) == pytest.approx(0, abs=1e-9)


def test_input_is_not_changed():
    sparse = csr_array(COUNTS.astype(float))
    mutual_information(sparse), entropy(sparse), kl_divergence(sparse, sparse)
    np.testing.assert_array_equal(sparse.toarray(), COUNTS)


def test_edges():
    assert entropy([3, 0, 0]) == 0 and entropy([0.0, 7.0]) == 0
    assert mutual_information(np.outer([1, 2], [3, 4])) == pytest.approx(0, abs=1e-15)
    assert kl_divergence([0, 1], [1, 1]) == pytest.approx(1)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: entropy([-1, 2]), "negative"),
        (lambda: entropy([0, 0]), "zero"),
        (lambda: entropy([np.nan, 1]), "NaN"),
        (lambda: entropy([1, 1], base=1), "base"),
        (lambda: mutual_information([1, 2]), "dimension"),
        (lambda: kl_divergence([1, 1], [1, 1, 1]), "shape"),
        (lambda: jensen_shannon([1, 1], [1, 1], weights=(1, 1, 1)), "weights"),
    ],
)
def test_bad_input_is_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
