"""Chains of the textbooks with known answers, dense and sparse."""

import numpy as np
import pytest
from scipy.sparse import csr_array, csr_matrix, kron
from scipy.special import comb

from unmix.sampling import MarkovChain

KINDS = [np.asarray, csr_array, csr_matrix]


def two_states(a, b):
    return np.array([[1 - a, a], [b, 1 - b]])


def cycle(n, stay=0.0):
    step = np.roll(np.eye(n), 1, axis=1)
    return stay * np.eye(n) + (1 - stay) * 0.5 * (step + step.T)


def ehrenfest(n):
    i = np.arange(n + 1)
    return np.diag(i[1:] / n, -1) + np.diag((n - i[:-1]) / n, 1)


def lazy(P):
    return 0.5 * (np.eye(len(P)) + P)


def metropolis(energy, beta):
    """Symmetric proposals on a ring, accepted with min(1, exp(-beta Δ))."""
    n = len(energy)
    P = np.zeros((n, n))
    for i in range(n):
        for j in ((i - 1) % n, (i + 1) % n):
            P[i, j] += 0.5 * min(1.0, np.exp(-beta * (energy[j] - energy[i])))
        P[i, i] += 1 - P[i].sum()
    return P


def mixing_by_definition(P, epsilon):
    law, power, t = MarkovChain(P).stationary(), np.eye(len(P)), 0
    while 0.5 * np.abs(power - law).sum(axis=1).max() > epsilon:
        power, t = power @ P, t + 1
    return t


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("a, b", [(0.1, 0.5), (0.7, 0.9), (1.0, 0.3)])
def test_two_states(kind, a, b):
    chain = MarkovChain(kind(two_states(a, b)))
    assert chain.is_irreducible() and chain.is_aperiodic() and chain.period() == 1
    np.testing.assert_allclose(chain.stationary(), np.array([b, a]) / (a + b))
    assert chain.satisfies_detailed_balance()
    assert chain.spectral_gap() == pytest.approx(1 - abs(1 - a - b))
    # d(t) = max(a, b)/(a + b) |1 - a - b|^t
    for epsilon in (0.25, 0.01):
        t = np.ceil(np.log(epsilon * (a + b) / max(a, b)) / np.log(abs(1 - a - b)))
        assert chain.mixing_time(epsilon) == max(t, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [5, 6, 9])
def test_walk_on_a_cycle(kind, n):
    chain = MarkovChain(kind(cycle(n)))
    assert chain.is_irreducible()
    assert chain.period() == (2 if n % 2 == 0 else 1) and chain.is_aperiodic() == (n % 2 == 1)
    np.testing.assert_allclose(chain.stationary(), 1 / n)
    eigenvalues = np.cos(2 * np.pi * np.arange(1, n) / n)
    assert chain.spectral_gap() == pytest.approx(1 - np.abs(eigenvalues).max(), abs=1e-12)
    assert (chain.mixing_time() == np.inf) == (n % 2 == 0)


@pytest.mark.parametrize("kind", KINDS)
def test_directed_cycle(kind):
    P = np.roll(np.eye(6), 1, axis=1)
    chain = MarkovChain(kind(P))
    assert chain.period() == 6 and not chain.is_aperiodic() and not chain.satisfies_detailed_balance()
    assert chain.spectral_gap() == pytest.approx(0, abs=1e-12)
    lazy_chain = MarkovChain(kind(lazy(P)))  # eigenvalues (1 + exp(2πik/6)) / 2, of modulus cos(πk/6)
    assert lazy_chain.is_aperiodic() and lazy_chain.spectral_gap() == pytest.approx(1 - np.cos(np.pi / 6))
    assert lazy_chain.mixing_time(0.1) == mixing_by_definition(lazy(P), 0.1)
    np.testing.assert_array_equal(chain.simulate(12, start=2), (2 + np.arange(13)) % 6)


@pytest.mark.parametrize("kind", KINDS)
def test_ehrenfest_urns(kind):
    n = 10
    chain = MarkovChain(kind(ehrenfest(n)))
    assert chain.is_irreducible() and chain.period() == 2 and chain.satisfies_detailed_balance()
    np.testing.assert_allclose(chain.stationary(), comb(n, np.arange(n + 1)) / 2**n, rtol=1e-12)
    slow = MarkovChain(kind(lazy(ehrenfest(n))))
    assert slow.spectral_gap() == pytest.approx(1 / n)  # eigenvalues 1 - k/n
    assert slow.mixing_time(0.1) == mixing_by_definition(lazy(ehrenfest(n)), 0.1)


@pytest.mark.parametrize("kind", KINDS)
def test_reducible_chains(kind):
    P = np.array([[0.5, 0.5, 0, 0], [0.2, 0.8, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
    chain = MarkovChain(kind(P))
    assert not chain.is_irreducible() and not chain.is_aperiodic()
    assert [states.tolist() for states in chain.closed_classes()] == [[0, 1], [2, 3]]
    assert chain.period(0) == 1 and chain.period(2) == 2
    assert chain.spectral_gap() == 0 and chain.mixing_time() == np.inf
    with pytest.raises(ValueError, match="2 closed classes"):
        chain.stationary()


@pytest.mark.parametrize("kind", KINDS)
def test_transient_states_have_no_stationary_mass(kind):
    P = np.array([[0.0, 0.5, 0.5], [0.0, 0.6, 0.4], [0.0, 0.4, 0.6]])
    chain = MarkovChain(kind(P))
    assert not chain.is_irreducible() and chain.period(0) == 0 and chain.is_aperiodic()
    np.testing.assert_allclose(chain.stationary(), [0, 0.5, 0.5])
    assert chain.spectral_gap() == pytest.approx(0.8)
    assert chain.mixing_time(0.01) == mixing_by_definition(P, 0.01)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beta", [0.5, 3.0])
def test_metropolis_converges_to_the_gibbs_law(kind, beta):
    energy = np.random.default_rng(0).normal(size=8)
    gibbs = np.exp(-beta * energy) / np.exp(-beta * energy).sum()
    P = metropolis(energy, beta)
    chain = MarkovChain(kind(P))
    np.testing.assert_allclose(chain.stationary(), gibbs, rtol=1e-10)
    assert chain.satisfies_detailed_balance() and chain.satisfies_detailed_balance(gibbs)
    assert not chain.satisfies_detailed_balance(np.full(8, 1 / 8))
    assert chain.mixing_time(0.2) == mixing_by_definition(P, 0.2)


def test_small_probabilities_keep_their_digits():
    """Birth and death: π_{i+1} / π_i = up / down, over 200 orders of magnitude."""
    n, up, down = 60, 1e-4, 0.5
    P = np.diag(np.full(n - 1, up), 1) + np.diag(np.full(n - 1, down), -1)
    P += np.diag(1 - P.sum(axis=1))
    law = MarkovChain(P).stationary()
    np.testing.assert_allclose(law[1:] / law[:-1], up / down, rtol=1e-10)


def test_large_sparse_chains_stay_sparse():
    n = 3001  # odd, so that the cycle has no period
    i = np.arange(n)
    forward = csr_array((np.full(n, 0.5), (i, (i + 1) % n)), shape=(n, n))
    chain = MarkovChain(forward + forward.T)
    assert chain.is_irreducible() and chain.is_aperiodic()
    np.testing.assert_allclose(chain.stationary(), 1 / n, rtol=1e-6)
    assert chain.satisfies_detailed_balance(tol=1e-6)
    ring = csr_array(cycle(601, stay=0.3))
    gap = 0.7 * (1 - np.cos(2 * np.pi / 601))
    assert MarkovChain(ring).spectral_gap() == pytest.approx(gap, rel=1e-5)


def test_gap_of_a_large_sparse_chain_that_is_not_reversible():
    """Append a random digit, drop the first: that forgets all in 8 steps, so eigenvalues are those of the switch."""
    i = np.arange(256)
    digits = csr_array((np.full(512, 0.5), (np.repeat(i, 2), np.stack([2 * i % 256, 2 * i % 256 + 1], axis=1).ravel())))
    chain = MarkovChain(csr_array(kron(two_states(0.1, 0.2), digits)))
    assert chain.n_states == 512 and chain.is_irreducible() and not chain.satisfies_detailed_balance()
    assert chain.spectral_gap() == pytest.approx(0.3)
    np.testing.assert_allclose(chain.stationary(), np.repeat([2 / 3, 1 / 3], 256) / 256)


def test_walks_have_the_right_frequencies_and_repeat():
    P = np.array([[0.1, 0.6, 0.3], [0.4, 0.4, 0.2], [0.0, 0.7, 0.3]])
    chain = MarkovChain(P)
    path = chain.simulate(60_000, start=0, random_state=0)
    assert path[0] == 0 and len(path) == 60_001
    pairs = np.zeros((3, 3))
    np.add.at(pairs, (path[:-1], path[1:]), 1)
    np.testing.assert_allclose(pairs / pairs.sum(axis=1, keepdims=True), P, atol=0.015)
    assert pairs[2, 0] == 0
    np.testing.assert_allclose(np.bincount(path) / len(path), chain.stationary(), atol=0.01)
    np.testing.assert_array_equal(path, MarkovChain(csr_array(P)).simulate(60_000, start=0, random_state=0))
    assert chain.simulate(0, start=[0.0, 1.0, 0.0]).tolist() == [1]
    starts = [chain.simulate(0, random_state=seed)[0] for seed in range(600)]
    np.testing.assert_allclose(np.bincount(starts, minlength=3) / 600, chain.stationary(), atol=0.07)


def test_one_state():
    chain = MarkovChain([[1.0]])
    assert chain.is_irreducible() and chain.is_aperiodic() and chain.stationary().tolist() == [1.0]
    assert chain.spectral_gap() == 1 and chain.mixing_time() == 0
    assert MarkovChain(csr_array([[1.0]])).stationary().tolist() == [1.0]


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: MarkovChain([[0.5, 0.5]]), "square"),
        (lambda: MarkovChain([[0.5, 0.4], [0.0, 1.0]]), "row 0 of P sums to 0.9"),
        (lambda: MarkovChain([[1.5, -0.5], [0.0, 1.0]]), "negative"),
        (lambda: MarkovChain(csr_array(np.ones((2, 2)))), "row 0 of P sums to 2"),
        (lambda: MarkovChain(np.eye(2)).mixing_time(2.0), "epsilon"),
        (lambda: MarkovChain(np.eye(2)).simulate(-1, 0), "n_steps"),
        (lambda: MarkovChain(np.eye(2)).simulate(1, 5), "start"),
    ],
)
def test_bad_input_is_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("epsilon", [1e-10, 1e-17, 1e-60, 1e-300])
def test_mixing_is_timed_below_rounding(kind, epsilon):
    """d(t) of two states is max(π) |1 - a - b|^t, and of a complete graph (1 - 1/n) / (n - 1)^t."""
    a, b = 0.1, 0.25
    d = np.log(max(a, b) / (a + b))
    expected = np.ceil((np.log(epsilon) - d) / np.log(1 - a - b))
    assert MarkovChain(kind(two_states(a, b))).mixing_time(epsilon) == expected
    n = 5
    complete = (np.ones((n, n)) - np.eye(n)) / (n - 1)
    expected = np.ceil((np.log(1 - 1 / n) - np.log(epsilon)) / np.log(n - 1))
    assert MarkovChain(kind(complete)).mixing_time(epsilon) == expected


def test_mixing_ends_for_dense_chains_of_any_kind():
    P = np.random.default_rng(0).random((30, 30))
    P /= P.sum(axis=1, keepdims=True)
    law, exact = MarkovChain(P).stationary(), P - MarkovChain(P).stationary()
    t = int(MarkovChain(P).mixing_time(1e-17))
    powers = [np.abs(np.linalg.matrix_power(exact, s)).sum(axis=1).max() / 2 for s in (t - 1, t)]
    assert powers[1] <= 1e-17 < powers[0] and 5 < t < 60
    same = np.tile(law, (30, 1))  # forgets at once
    assert MarkovChain(same).mixing_time(1e-17) == 1
    with pytest.raises(ValueError, match="rounds to 1"):
        MarkovChain(two_states(1e-30, 1e-30)).mixing_time()


@pytest.mark.parametrize("kind", KINDS)
def test_detailed_balance_of_rare_states_counts(kind):
    """Three states in a directed ring that are hardly ever visited from a fourth."""
    rare = 1e-13
    P = np.zeros((4, 4))
    P[0] = [1 - rare, rare, 0, 0]
    P[1], P[2], P[3] = [0.1, 0.0, 0.9, 0.0], [0.1, 0.0, 0.0, 0.9], [0.1, 0.9, 0.0, 0.0]
    chain = MarkovChain(kind(P))
    assert not chain.satisfies_detailed_balance()
    second = np.sort(np.abs(np.linalg.eigvals(P)))[-2]
    assert chain.spectral_gap() == pytest.approx(1 - second, abs=1e-9)


def test_the_table_given_is_not_changed():
    from scipy.sparse import csr_array

    P = csr_array((np.array([0.0, 0.5, 0.5, 1.0, 0.0]), np.array([1, 0, 1, 0, 1]), np.array([0, 3, 5])), shape=(2, 2))
    data, indices = P.data.copy(), P.indices.copy()
    chain = MarkovChain(P)
    assert chain.mixing_time(0.1) == MarkovChain(P.toarray()).mixing_time(0.1)
    chain.simulate(10, random_state=0), chain.spectral_gap()
    assert np.array_equal(P.data, data) and np.array_equal(P.indices, indices)
