"""Corrected entropies against formulas written out by hand, known laws, and each other."""

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array
from scipy.special import digamma

from unmix.information import conditional_entropy, entropy, joint_entropy, mutual_information

CORRECTIONS = ("miller-madow", "grassberger", "chao-shen")
rng = np.random.default_rng(0)


def test_formulas_on_a_small_sample():
    counts, n = [5, 2, 1, 1, 0], 9
    assert entropy(counts, correction="miller-madow", base=np.e) == pytest.approx(entropy(counts, base=np.e) + 3 / 18)

    def G(m):  # G_2j = G_2j+1 = -γ - log 2 + 2/1 + 2/3 + … + 2/(2j-1)
        return digamma(1.0) - np.log(2) + sum(2 / odd for odd in range(1, 2 * (m // 2), 2))

    expected = np.log(n) - sum(c * G(c) for c in counts if c) / n
    assert entropy(counts, correction="grassberger", base=np.e) == pytest.approx(expected)
    share = [(1 - 2 / 9) * c / 9 for c in counts if c]
    expected = -sum(p * np.log2(p) / (1 - (1 - p) ** 9) for p in share)
    assert entropy(counts, correction="chao-shen") == pytest.approx(expected)


@pytest.mark.parametrize("m, n", [(8, 30), (40, 60), (200, 100)])
def test_less_biased_on_known_laws(m, n):
    law = rng.dirichlet(np.ones(m))
    draws = rng.multinomial(n, law, 300)
    truth = entropy(law)
    bias = {c: abs(np.mean([entropy(row, correction=c) for row in draws]) - truth) for c in ("none", *CORRECTIONS)}
    for correction in CORRECTIONS:
        assert bias[correction] < 0.7 * bias["none"]
    if m > n:  # most values are still unseen: only the estimate that reckons with them comes close
        assert bias["chao-shen"] < bias["grassberger"] < bias["miller-madow"]


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_independent_variables_share_nothing_on_average(correction):
    law = np.outer(rng.dirichlet(np.ones(6) * 3), rng.dirichlet(np.ones(5) * 3))
    tables = rng.multinomial(100, law.ravel(), 300).reshape(-1, 6, 5)
    plain = np.mean([mutual_information(table) for table in tables])
    corrected = np.mean([mutual_information(table, correction=correction) for table in tables])
    assert abs(corrected) < 0.3 * plain


@pytest.mark.parametrize("correction", ("none", *CORRECTIONS))
def test_chain_rules_and_sparse_tables(correction):
    table = rng.poisson(0.8, (7, 5))
    joint, shared = joint_entropy(table, correction=correction), mutual_information(table, correction=correction)
    rows, columns = (entropy(table.sum(axis=axis), correction=correction) for axis in (1, 0))
    assert conditional_entropy(table, correction=correction) == pytest.approx(joint - rows)
    assert shared == pytest.approx(rows + columns - joint)
    split = coo_array((np.ones(table.sum()), np.repeat(np.argwhere(table), table[table > 0], axis=0).T), table.shape)
    for kind in (csr_array(table), split):  # the second stores every count as ones that add up
        for measure in (entropy, joint_entropy, conditional_entropy, mutual_information):
            assert measure(kind, correction=correction) == pytest.approx(measure(table, correction=correction))


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_edges(correction):
    assert np.isfinite(entropy([1], correction=correction))
    assert entropy([1000, 0], correction=correction) == pytest.approx(0, abs=1e-3)
    assert np.isfinite(entropy(np.ones(50), correction=correction))
    many = rng.multinomial(10**7, np.ones(16) / 16)
    assert entropy(many, correction=correction) == pytest.approx(4, abs=1e-4)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="correction="):
        entropy([1, 2], correction="best")
    with pytest.raises(ValueError, match="whole"):
        entropy([0.5, 0.5], correction="miller-madow")
    with pytest.raises(ValueError, match="negative"):
        entropy([-1, 2], correction="grassberger")
    with pytest.raises(ValueError, match="axis for each"):
        joint_entropy([1, 2])
