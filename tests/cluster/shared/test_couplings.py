"""Symmetric matrices: what is given stays as it is, and rows are judged by their own size."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.cluster import IsingModel, max_cut
from unmix.cluster.shared.couplings import check_symmetric, without_diagonal
from unmix.sampling import MarkovChain


def stored():
    """A symmetric matrix with a stored zero and a repeated entry."""
    data = np.array([1.0, 0.0, 1.0, 2.0, 3.0])
    return csr_array((data, np.array([1, 2, 1, 0, 2]), np.array([0, 3, 4, 5])), shape=(3, 3))


def test_the_matrix_given_is_not_changed():
    W = stored()
    before = W.data.copy(), W.indices.copy(), W.indptr.copy()
    assert check_symmetric(W, "W").nnz == 3
    without_diagonal(check_symmetric(W, "W"))
    max_cut(W, random_state=0)
    assert all(np.array_equal(now, then) for now, then in zip((W.data, W.indices, W.indptr), before))
    dense = W.toarray()
    dense.flags.writeable = False
    max_cut(dense, random_state=0)
    assert without_diagonal(dense)[2, 2] == 0 and dense[2, 2] == 3


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_one_large_entry_does_not_hide_that_others_differ(kind):
    W = np.zeros((4, 4))
    W[0, 1] = W[1, 0] = 1e12
    W[2, 3] = 1.0
    with pytest.raises(ValueError, match="not symmetric"):
        check_symmetric(kind(W), "W")
    W[3, 2] = 1.0 + 1e-12
    check_symmetric(kind(W), "W")


@pytest.mark.parametrize("schedule", ["linear", "geometric", "logarithmic"])
@pytest.mark.parametrize("pair", [(0.0, 1.0), (1.0, 0.0), (1.0, np.inf), (np.nan, 1.0), (1.0,), 2.0, ("a", "b")])
def test_a_range_of_betas_is_checked(schedule, pair):
    with pytest.raises(ValueError, match="beta_range"):
        IsingModel(np.zeros((2, 2))).ground_state(schedule=schedule, beta_range=pair)


@pytest.mark.parametrize("schedule", ["linear", "geometric", "logarithmic"])
@pytest.mark.parametrize("unit", [2.0**-900, 2.0**900])
def test_annealing_in_other_units_finds_the_same_state(schedule, unit):
    rng = np.random.default_rng(0)
    J = np.triu(rng.normal(size=(12, 12)), 1)
    J, h = J + J.T, rng.normal(size=12)
    plain = IsingModel(J, h).ground_state(schedule=schedule, n_init=2, n_sweeps=50, random_state=0)
    other = IsingModel(unit * J, unit * h).ground_state(schedule=schedule, n_init=2, n_sweeps=50, random_state=0)
    assert np.array_equal(plain.spins, other.spins) and other.energy == unit * plain.energy


def test_indices_outside_are_refused():
    wrong = csr_array((np.ones(2), np.array([1, 0]), np.array([0, 1, 2])), shape=(2, 2))
    wrong.indices[0] = 7
    for use in (lambda: IsingModel(wrong), lambda: max_cut(wrong), lambda: MarkovChain(wrong)):
        with pytest.raises(ValueError, match="indices"):
            use()


def test_the_smallest_betas_sample():
    spins = IsingModel(1e-200 * (np.ones((3, 3)) - np.eye(3))).sample(50, beta=1e-200, random_state=0)
    assert set(np.unique(spins)) == {-1, 1}
