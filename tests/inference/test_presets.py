"""Names of inferences, what they refuse and what they offer instead, and schedules that know the units of the cost."""

from typing import NamedTuple

import numpy as np
import pytest

from tests.exact.costs import CASES, K
from unmix.core.schedule import geometric
from unmix.costs.base import HasFields, HasMoves
from unmix.costs.correlation import Correlation
from unmix.costs.distributions.binned_gaussians import fit_gaussians
from unmix.costs.links import make_links
from unmix.costs.moves import register
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.parametric_distributional import ParametricDistributional
from unmix.costs.potts import Couplings, Potts
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.local.first_temperature import RANGE, hot, lowest
from unmix.inference.mean_field import MeanField
from unmix.inference.named_steps import INFERENCES, make_restartable, make_step
from unmix.inference.presets import MANY, SWEEPS, count_temperatures, descend, few_sweeps, solve
from unmix.inference.prototypes.domains import relabel_domains
from unmix.inference.sampler import Gibbs, MetropolisHastings

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 2)) + 5 * rng.integers(0, 2, (40, 1))


class Fight(NamedTuple):
    likes: np.ndarray
    pull: np.ndarray


class Quarrel:
    """-Σ_{i<j, together} A_ij in units of one's own: a cost with moves and nothing else."""

    def __init__(self, unit):
        self.unit = unit

    def total(self, data, labels):
        return -self.unit * float(data[labels[:, None] == labels].sum()) / 2

    def state(self, data, q):
        return Fight(self.unit * data, self.unit * data @ q)


def quarrel_costs(state, i, share, out):
    for c in range(out.size):
        out[c] = -(state.pull[i, c] - share[c] * state.likes[i, i])


def quarrel(state, i, c, amount):
    for j in range(state.likes.shape[0]):
        state.pull[j, c] += amount * state.likes[j, i]


register(Fight, quarrel_costs, quarrel)
A = rng.normal(size=(30, 30))
A = A + A.T
np.fill_diagonal(A, 0.0)


class Bare:
    """The same cost by its definition alone."""

    def __init__(self, unit):
        self.unit = unit

    def total(self, data, labels):
        return Quarrel(self.unit).total(data, labels)


def test_first_temperature_is_in_units_of_the_cost():
    for make in (Quarrel, Bare):
        assert isinstance(make(1.0), HasMoves) == (make is Quarrel) and not isinstance(make(1.0), HasFields)
        assert hot(make(1e6), A, 3, 0) == pytest.approx(1e6 * hot(make(1.0), A, 3, 0))
        # among random labels, a label costs the sum of about ten normal likes of variance 2: twice a spread of √20
        assert hot(make(1.0), A, 3, 0) == pytest.approx(2 * np.sqrt(20), rel=0.35)


@pytest.mark.parametrize("inference", ["gibbs", "metropolis", "heat_bath"])
@pytest.mark.parametrize("unit", [1e6, 1e-6])
def test_labels_do_not_depend_on_the_unit_of_the_cost(inference, unit):
    one, other = (solve(Quarrel(u), A, 3, inference=inference, n_temperatures=15, seed=1) for u in (1.0, unit))
    np.testing.assert_array_equal(one.labels, other.labels)
    assert other.first_temperature == pytest.approx(unit * one.first_temperature)
    assert other.cost == pytest.approx(unit * one.cost)


def test_units_of_the_data_do_not_matter_either():
    D = ((X[:, None] - X) ** 2).sum(-1)
    for inference in ("mean_field", "gibbs"):
        for cost, data, scaled in (
            (SquaredDistance(), X, 1e3 * X),
            (Pairwise(), make_dissimilarities(D), make_dissimilarities(1e6 * D)),
        ):
            one, other = (solve(cost, rows, 3, inference=inference, seed=2) for rows in (data, scaled))
            np.testing.assert_array_equal(one.labels, other.labels)
            assert other.first_temperature == pytest.approx(1e6 * one.first_temperature)


def test_first_temperatures_known_in_closed_form():
    critical = 2 * np.linalg.eigvalsh(np.cov(X.T, bias=True))[-1]
    assert hot(SquaredDistance(), X, 3, 0) == pytest.approx(1.1 * critical)
    cost, counts = CASES["histogram"]
    n, u = counts.sum(axis=1, keepdims=True), counts.sum(axis=0) / counts.sum()
    Z = counts - n * u
    critical = np.linalg.eigvals(Z.T @ Z / n.sum() / cost.unit / u).real.max()
    assert hot(cost, counts, 3, 0) == pytest.approx(1.1 * critical)
    assert hot(SquaredDistance(), np.ones((20, 12)), 3, 0) > 0  # equal rows: any will do


def test_mean_fields_of_k_means_are_those_of_squared_distances():
    q = rng.dirichlet(np.ones(3), len(X))
    data = make_dissimilarities(((X[:, None] - X) ** 2).sum(-1))
    np.testing.assert_allclose(SquaredDistance().fields(X, q), Pairwise().fields(data, q), atol=1e-9)
    assert SquaredDistance().expected(X, q) == pytest.approx(Pairwise().expected(data, q))


def test_a_factor_of_cooling_is_kept():
    for factor in (0.5, 0.9, 0.99):
        cooled = geometric(1.0, RANGE, count_temperatures(factor))
        assert factor <= cooled[1] / cooled[0] < factor**0.5


def parametric():
    counts = CASES["histogram"][1]
    total = counts.sum(axis=0)
    return ParametricDistributional(total / total.sum(), 1.0, *fit_gaussians(total, 2)), counts


def test_what_cannot_follow_a_cost_is_refused_with_what_can():
    cost, _ = parametric()
    for inference in ("gibbs", "mean_field", Gibbs(), MeanField("sequential")):
        with pytest.raises(
            ValueError,
            match=r"offers prototypes; give one of 'own', 'deterministic_annealing', or a",
        ):
            make_step(inference, cost, ("own",))
    with pytest.raises(ValueError, match=r"'mean_field' cannot .* offers moves .* one of 'sequential_mean_field', '"):
        make_step("mean_field", Quarrel(1.0))
    for inference in ("magic", 3, Gibbs, None):
        with pytest.raises(ValueError, match=r"is not known; give one of 'mean_field', .*'heat_bath', or a Step"):
            make_step(inference, Pairwise())
    assert make_step("own", cost, ("own",)) is None
    for inference in INFERENCES:
        assert make_step(inference, Pairwise()) is not None


class Rigid:
    """A step that knows no other start than its own."""

    requires, begin, visit, shares = HasMoves, Gibbs.begin, Gibbs.visit, Gibbs.shares


def test_a_step_that_cannot_restart_is_told_how():
    with pytest.raises(ValueError, match=r"restart\(q\), or one of 'mean_field'"):
        make_restartable(Rigid(), Pairwise())


def test_own_proposals_need_only_the_definition():
    cost, counts = parametric()
    every = [cost.total(counts, np.array([int(c) for c in f"{number:06b}"])) for number in range(64)]

    def flip(labels, rng):
        new = labels.copy()
        new[rng.integers(len(labels))] ^= 1
        return new, 0.0

    found = solve(cost, counts, 2, inference=MetropolisHastings(flip, 30), n_temperatures=12, seed=0)
    assert found.cost == pytest.approx(min(every), rel=1e-6)


@pytest.mark.parametrize("name", ["histogram", "squared_distance of weighted rows"])
@pytest.mark.parametrize("inference", ["mean_field", "gibbs"])
def test_tiny_problems_are_solved(name, inference):
    from unmix.inference.enumerate import enumerate_labellings

    cost, data = CASES[name]
    least = enumerate_labellings(cost, data, K, 1.0).costs.min()
    assert solve(cost, data, K, inference=inference, n_init=5, seed=0).cost == pytest.approx(least, abs=1e-9)


def test_cooling_goes_on_until_typical_objects_are_cold():
    """One pair of objects sets the first temperature; the last one is that of the others."""
    rng = np.random.default_rng(0)
    S = rng.normal(size=(40, 40))
    S = S + S.T
    cost, plain = Correlation(), make_links(S)
    first = hot(cost, plain, 3, 0)
    assert lowest(cost, plain, 3, first, 0) == RANGE * first
    S[0, 1] = S[1, 0] = 1e9
    far = make_links(S)
    assert hot(cost, far, 3, 0) > 1e6 * first
    assert 0.3 * RANGE * first < lowest(cost, far, 3, hot(cost, far, 3, 0), 0) < 3 * RANGE * first


def test_descent_goes_on_beside_a_huge_cost():
    """A cost of 1e15 that no label changes hides what moves gain; they are made all the same."""
    field = np.array([[1e15, 1e15], [1.0, 0.0], [0.0, 1.0]])
    data = Couplings(make_links(np.zeros((3, 3))), field)
    assert descend(Potts(), data, np.array([0, 0, 1]), 2, 10, 0)[1:].tolist() == [1, 0]


def test_domains_change_beside_a_huge_field():
    field = np.array([[0.0, 1e15], [1.0, 0.0], [1.0, 0.0]])
    links = np.zeros((3, 3))
    links[1, 2] = links[2, 1] = 5.0
    assert relabel_domains(Couplings(make_links(links), field), np.array([0, 0, 0])).tolist() == [0, 1, 1]


class Counting(Pairwise):
    """Counts the products that mean fields take."""

    def __init__(self):
        self.products = 0

    def fields(self, data, q):
        self.products += 1
        return super().fields(data, q)


def test_mean_fields_of_many_clusters_take_few_sweeps_and_find_the_groups():
    centers = 100.0 * np.random.default_rng(1).normal(size=(40, 3))
    rows = np.repeat(centers, 4, axis=0) + 0.1 * np.random.default_rng(2).normal(size=(160, 3))
    data = make_dissimilarities(((rows[:, None] - rows) ** 2).sum(axis=2))
    group, cost = np.repeat(np.arange(40), 4), Counting()
    found = solve(cost, data, 40, n_temperatures=12)
    at_most, beside = SWEEPS * MANY // 40, 3 * 12  # sweeps at a temperature; what is shown of it, and the first one
    assert cost.products <= at_most * 12 + beside
    assert np.isclose(found.cost, cost.total(data, group), rtol=1e-9)  # no labels cost less: groups are far apart
    assert few_sweeps("mean_field", MANY) is None and few_sweeps("gibbs", 500) is None


def test_a_soft_result_of_many_clusters_is_the_fixed_point():
    rows = np.random.default_rng(3).normal(size=(60, 2))
    data, T = make_dissimilarities(((rows[:, None] - rows) ** 2).sum(axis=2)), 0.5
    q = solve(Pairwise(), data, 40, temperature=T).shares
    h = Pairwise().fields(data, q)
    wanted = np.exp(-(h - h.min(axis=1, keepdims=True)) / T)
    np.testing.assert_allclose(q, wanted / wanted.sum(axis=1, keepdims=True), atol=5e-3)
