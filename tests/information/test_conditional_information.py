"""I(X;Y|Z): the definition, the chain rule, labels and tables alike, corrections, and what is refused."""

import numpy as np
import pytest

from unmix.information import conditional_mutual_information, entropy, joint_entropy, mutual_information


def law(seed, shape=(3, 4, 2)):
    p = np.random.default_rng(seed).gamma(0.5, size=shape)
    p[0, 1] = 0
    return p / p.sum()


def by_definition(p):
    total = 0.0
    for x, y, z in np.argwhere(p > 0):
        total += p[x, y, z] * np.log2(p[x, y, z] * p[:, :, z].sum() / (p[x, :, z].sum() * p[:, y, z].sum()))
    return total


@pytest.mark.parametrize("seed", range(5))
def test_definition_and_chain_rule(seed):
    p = law(seed)
    found = conditional_mutual_information(p)
    assert found == pytest.approx(by_definition(p), abs=1e-12)
    by_z = sum(part.sum() * mutual_information(part) for part in np.moveaxis(p, 2, 0))
    assert found == pytest.approx(by_z, abs=1e-12)
    whole, known = mutual_information(p.reshape(3, -1)), mutual_information(p.sum(axis=1))
    assert whole == pytest.approx(known + found, abs=1e-12)
    swapped = conditional_mutual_information(p.transpose(1, 0, 2))
    assert swapped == pytest.approx(found, abs=1e-12)
    assert conditional_mutual_information(p, base=np.e) == pytest.approx(found * np.log(2), abs=1e-12)


@pytest.mark.parametrize("correction", ["none", "miller-madow", "grassberger", "chao-shen"])
def test_labels_are_their_table_of_counts(correction):
    rng = np.random.default_rng(0)
    x, y, z = rng.integers(0, 3, size=(3, 200))
    counts = np.zeros((3, 3, 3), dtype=int)
    np.add.at(counts, (x, y, z), 1)
    found = conditional_mutual_information(x, y, z, correction=correction)
    assert found == pytest.approx(conditional_mutual_information(counts, correction=correction), abs=1e-12)
    names = np.array(["a", "b", "c"], dtype=object)
    assert found == pytest.approx(
        conditional_mutual_information(names[x], y + 0.5, z, correction=correction), abs=1e-12
    )
    apart = sum(joint_entropy(counts.sum(axis=axis), correction=correction) for axis in (1, 0))
    rest = entropy(counts.sum(axis=(0, 1)), correction=correction) + entropy(counts, correction=correction)
    assert found == pytest.approx(apart - rest, abs=1e-12)


def test_several_columns_are_one_variable():
    rng = np.random.default_rng(1)
    x, y, first, second = rng.integers(0, 2, size=(4, 300))
    together = conditional_mutual_information(x, y, np.column_stack([first, second]))
    assert together == pytest.approx(conditional_mutual_information(x, y, 2 * first + second), abs=1e-12)


def test_corrections_take_off_what_chance_shows():
    rng = np.random.default_rng(2)
    plain, corrected = np.mean(
        [
            [conditional_mutual_information(*labels, correction=each) for each in ("none", "miller-madow")]
            for labels in rng.integers(0, 4, size=(200, 3, 400))
        ],
        axis=0,
    )
    assert plain == pytest.approx(3 * 3 * 4 / (2 * 400 * np.log(2)), rel=0.1)
    assert abs(corrected) < 0.1 * plain


def test_markov_chains_and_equal_variables():
    p = np.einsum("x,xz,zy->xyz", [0.3, 0.7], [[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], [0.1, 0.9]])
    assert conditional_mutual_information(p) == pytest.approx(0, abs=1e-12)
    x = np.arange(8) % 4
    assert conditional_mutual_information(x, x, x // 2) == pytest.approx(1.0)
    assert conditional_mutual_information(1e-300 * p) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([[1, 2]],), "joint has 2 dimension"),
        (([0, 1], [0, 1]), "give all three"),
        (([0, 1], [0, 1], [0]), "2, 2, 1 labels"),
        (([0, np.nan], [0, 1], [0, 1]), "x holds NaN"),
        ((-np.ones((2, 2, 2)),), "negative"),
    ],
)
def test_refused(given, words):
    with pytest.raises(ValueError, match=words):
        conditional_mutual_information(*given)
