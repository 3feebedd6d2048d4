"""Marginals that chains draw at one temperature, of every cost with moves, against the enumeration of labellings."""

from itertools import permutations

import numpy as np
import pytest
from scipy.stats import chi2

from tests.exact.costs import CASES, n
from unmix.costs.ising import Ising, IsingData
from unmix.inference.chains import interchangeable, run_chains
from unmix.inference.enumerate import enumerate_labellings
from unmix.inference.sampler import Gibbs, Metropolis, MetropolisHastings

rng = np.random.default_rng(0)
J = np.triu(rng.normal(size=(n, n)), 1)
ISING = Ising(), IsingData(J + J.T, 0.5 * rng.normal(size=n))
NAMED = ("potts", "potts, sparse", "pairwise map")  # the only costs that tell clusters apart
STEPS = {"gibbs": Gibbs, "metropolis": Metropolis, "heat bath": lambda **options: Metropolis(heat_bath=True, **options)}


def names_by_trying(labels, reference, k):
    """All renamings of the largest agreement; a labelling with several has no name of its own."""
    agreed = {names: np.mean(np.array(names)[labels] == reference) for names in permutations(range(k))}
    return [np.array(names) for names, value in agreed.items() if value == max(agreed.values())]


def exact_laws(exact, k, T):
    """The law of each label given all others, at every labelling, by the definition of the cost: (m, n, k)."""
    value = dict(zip(map(tuple, exact.labellings), exact.costs, strict=True))
    laws = np.empty((len(exact.costs), n, k))
    for row, labels in enumerate(exact.labellings):
        for i in range(n):
            for c in range(k):
                laws[row, i, c] = value[(*labels[:i], c, *labels[i + 1 :])]
    laws = np.exp(-(laws - laws.min(axis=2, keepdims=True)) / T)
    return laws / laws.sum(axis=2, keepdims=True)


def sampled(step, cost, data, k, T, reference, chains=2, seed=0):
    starts = [np.random.default_rng(turn).integers(0, k, n) for turn in range(chains)]
    return run_chains(step, cost, data, starts, reference, k, T, seed)


def numbers(labellings, k, alike):
    """One number a labelling, or a partition where clusters have no names: they are called in order of appearance."""
    labellings = np.asarray(labellings, np.int64)
    if alike:
        member = labellings == np.arange(k)[:, None, None]
        first = np.where(member.any(axis=2), member.argmax(axis=2), n)
        labellings = np.take_along_axis(first.argsort(axis=0).argsort(axis=0).T, labellings, axis=1)
    return labellings @ k ** np.arange(n)


def chi_square(draws, exact, k, alike):
    """The probability of a larger misfit; labellings that are hardly expected are one cell."""
    law = np.bincount(numbers(exact.labellings, k, alike), exact.probabilities, minlength=k**n)
    seen, expected = np.bincount(numbers(draws, k, alike), minlength=k**n), law * len(draws)
    rare = expected < 5
    seen, expected = (np.append(part[~rare], part[rare].sum()) for part in (seen, expected))
    seen, expected = seen[expected > 0], expected[expected > 0]
    return chi2.sf(((seen - expected) ** 2 / expected).sum(), max(len(expected) - 1, 1))


def exact_shares(cost, data, exact, reference, k, T, alike):
    """The mean of the conditional laws, in the names of the reference; equally good names share."""
    shares = np.zeros((n, k))
    for labels, p, law in zip(exact.labellings, exact.probabilities, exact_laws(exact, k, T), strict=True):
        choices = names_by_trying(labels, reference, k) if alike else [np.arange(k)]
        for names in choices:
            shares[:, names] += p * law / len(choices)
    return shares


ALL = [*CASES, "ising"]
IN_TURN = [(name, list(STEPS)[turn % 3]) for turn, name in enumerate(ALL)]
# every rule on every kernel is held to the law in test_inference.py; chains of all three to these costs
OTHERS = [(name, step) for name in ("squared_distance", "pairwise", "ising") for step in STEPS]
PAIRS = [*IN_TURN, *(pytest.param(*pair, marks=pytest.mark.long) for pair in OTHERS if pair not in IN_TURN)]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, sampler", PAIRS)
def test_draws_and_marginals_are_those_of_the_gibbs_distribution(name, sampler):
    cost, data = CASES.get(name, ISING)
    alike, turn = name not in (*NAMED, "ising"), ALL.index(name)
    k = 2 if name == "ising" or (turn % 2 and "3" not in name and alike) else 3
    assert interchangeable(cost, data, k, np.random.default_rng(0)) == alike
    step, T = STEPS[sampler](draws=3000), (0.6, 1.0, 3.0)[turn // 3 % 3]
    exact = enumerate_labellings(cost, data, k, T)
    reference = np.arange(n) % k if alike else exact.labellings[exact.costs.argmax()]  # names that must not be taken
    found = sampled(step, cost, data, k, T, reference)
    size = found.diagnostics()["effective_sample_size"]
    assert 300 < size < 12_000 and found.diagnostics()["r_hat"] < 1.05
    apart = max(1, int(2 * found.costs.size / size))  # sweeps after which labels are as good as independent
    assert chi_square(found.draws[::apart], exact, k, alike) > 1e-4
    shares = exact_shares(cost, data, exact, reference, k, T, alike)
    if not alike:
        np.testing.assert_allclose(shares, exact.marginals, atol=1e-12)
    assert np.isclose(found.shares.sum(axis=1), 1).all()
    np.testing.assert_allclose(found.shares, shares, atol=2.5 / size**0.5)
    assert found.costs.mean() == pytest.approx(exact.expected_cost, abs=5 * found.costs.std() / size**0.5)


@pytest.mark.slow_without_jit
def test_conditional_laws_scatter_less_than_labels():
    cost, data = ISING
    exact = enumerate_labellings(cost, data, 2, 1.0).marginals[:, 0]
    errors = []
    for seed in range(20):
        found = sampled(Gibbs(draws=100), cost, data, 2, 1.0, np.zeros(n, int), seed=seed)
        errors.append([found.shares[:, 0] - exact, (found.draws == 0).mean(axis=0) - exact])
    by_laws, by_labels = np.mean(np.square(errors), axis=(0, 2))
    assert by_laws < 0.7 * by_labels


def test_own_proposals_count_labels():
    cost, data = ISING
    exact = enumerate_labellings(cost, data, 2, 1.0)

    def flip(labels, rng):
        new = labels.copy()
        new[rng.integers(len(labels))] ^= 1
        return new, 0.0

    found = sampled(MetropolisHastings(flip, draws=8000), cost, data, 2, 1.0, np.zeros(n, int))
    np.testing.assert_allclose(found.shares[:, 0], (found.draws == 0).mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(found.shares, exact.marginals, atol=0.06)


def test_at_infinite_temperature_names_say_nothing():
    cost, data = CASES["pairwise"]
    found = sampled(Gibbs(draws=40), cost, data, 3, 1e12, np.arange(n) % 3)
    np.testing.assert_allclose(found.shares, 1 / 3, atol=1e-9)


def test_what_is_no_number_of_sweeps_is_refused():
    for options in ({"draws": 3}, {"draws": 10.0}, {"sweeps": 0}, {"sweeps": True}):
        with pytest.raises(ValueError, match=r"give a whole number from"):
            Gibbs(**options)
