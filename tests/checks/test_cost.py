"""check_cost finds every planted wrong cost, and says what is wrong."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.sparse import csr_array

from tests.exact.costs import CASES, K
from unmix.checks import check_cost
from unmix.costs import (
    Correlation,
    Gaussian,
    Histogram,
    LeastAngle,
    Neighborhood,
    Pairwise,
    ParametricDistributional,
    SquaredDistance,
    Weighted,
    register,
)
from unmix.costs.gaussian.covariance import Diagonal, Full, Spherical, Tied
from unmix.costs.mass_constrained import Clusters, MassConstrained
from unmix.costs.squared_distance import Stats, weigh

rng = np.random.default_rng(0)
X = rng.normal(size=(12, 2)) + 3.0
COUNTS = rng.poisson(3.0, (12, 5)).astype(float)
LAW = COUNTS.sum(axis=0) / COUNTS.sum()


@pytest.mark.parametrize("family", [Full(), Tied(), Diagonal(), Spherical()], ids=lambda family: type(family).__name__)
def test_gaussians_pass(family):
    assert check_cost(Gaussian(family, np.full(2, 1e-3)), rng.normal(size=(18, 2))) == ["total", "prototypes"]


@pytest.mark.parametrize(
    "cost, data",
    [
        (SquaredDistance(), X),
        (SquaredDistance(), Weighted(X, rng.random(12) + 0.5)),
        (SquaredDistance(), csr_array(X)),
        (SquaredDistance(), 1e-9 * X),
        (Histogram(LAW, 1.0, 3.0), COUNTS),
        (Histogram(LAW, 0.5, 3.0), csr_array(COUNTS)),
        (ParametricDistributional(LAW, 3.0, np.array([0.2, 0.8]), np.array([0.2, 0.3])), COUNTS),
        (Neighborhood([[0.7, 0.3, 0], [0.2, 0.6, 0.2], [0, 0.3, 0.7]]), X),
    ],
    ids=["rows", "weights", "sparse", "tiny", "histogram", "sparse histogram", "parametric", "map"],
)
def test_costs_with_prototypes_pass(cost, data):
    assert "prototypes" in check_cost(cost, data)


class MeansForSums(SquaredDistance):
    """Statistics that do not add."""

    def statistics(self, block, q, prototypes):
        sums, mass = super().statistics(block, q, prototypes)
        return Stats(sums / mass[:, None], mass)

    def prototypes(self, stats, previous):
        return np.where(stats.mass[:, None] > 0, stats.sums, previous)


class OneMore(SquaredDistance):
    """Every block brings a count of its own."""

    def statistics(self, block, q, prototypes):
        sums, mass = super().statistics(block, q, prototypes)
        return Stats(sums, mass + 1e-3)


class Nearest(SquaredDistance):
    """Shares are rounded to labels."""

    def statistics(self, block, q, prototypes):
        return super().statistics(block, np.eye(q.shape[1])[q.argmax(axis=1)], prototypes)


class SinglePrecision(SquaredDistance):
    def statistics(self, block, q, prototypes):
        sums, mass = super().statistics(block, q, prototypes)
        rows = block.rows if isinstance(block, Weighted) else block
        return Stats(sums.astype(rows.dtype), mass.astype(rows.dtype))


class NoWeights(SquaredDistance):
    """Rows of any weight cost the same."""

    def distances(self, block, prototypes):
        return super().distances(block.rows if isinstance(block, Weighted) else block, prototypes)


class NoWeightsInSums(SquaredDistance):
    def statistics(self, block, q, prototypes):
        return super().statistics(block.rows if isinstance(block, Weighted) else block, q, prototypes)


class EmptyIsNaN(SquaredDistance):
    def prototypes(self, stats, previous):
        return stats.sums / stats.mass[:, None]


class EmptyIsZero(SquaredDistance):
    def prototypes(self, stats, previous):
        return stats.sums / np.maximum(stats.mass[:, None], 1e-300)


class Median(SquaredDistance):
    """Prototypes that do not belong to the cost."""

    def prototypes(self, stats, previous):
        return 0.9 * super().prototypes(stats, previous)


class Relative(SquaredDistance):
    """A row is compared with the others of its block."""

    def distances(self, block, prototypes):
        h = super().distances(block, prototypes)
        return h - h.mean() + 1.0


class Numbers(LeastAngle):
    """Labels are taken for numbers."""

    def total(self, data, labels):
        return super().total(data, labels) + 0.1 * float(labels.mean())


class EmptyMean(SquaredDistance):
    """NaN on a cluster without rows."""

    def total(self, data, labels):
        rows, cost = weigh(data)[0], 0.0
        for c in range(labels.max() + 1):
            cost += float(((rows[labels == c] - rows[labels == c].mean(axis=0)) ** 2).sum()) or rows[labels == c].mean()
        return cost


class Centres(LeastAngle):
    """Changes the data."""

    def total(self, data, labels):
        data -= data.mean(axis=0)
        return super().total(data, labels)


class OverwritesShares(LeastAngle):
    def fields(self, data, q):
        h = super().fields(data, q)
        q[:] = 0.0
        return h


class Remembers(LeastAngle):
    """Keeps the data."""

    def total(self, data, labels):
        self.seen = data
        return super().total(data, labels)


class Chance(LeastAngle):
    def total(self, data, labels):
        return super().total(data, labels) + 1e-9 * np.random.default_rng().random()


class Hard(LeastAngle):
    """Fields that are right for labels only."""

    def fields(self, data, q):
        return super().fields(data, np.eye(q.shape[1])[q.argmax(axis=1)])


class Flipped(LeastAngle):
    def fields(self, data, q):
        return -super().fields(data, q)


class OtherVectors(LeastAngle):
    def vectors(self, data):
        return 2 * super().vectors(data)


class OtherMean(Correlation):
    def expected(self, data, q):
        return super().expected(data, q) + 1


class NotTheMean(Pairwise):
    def mean(self, data, q):
        return self.expected(data, q)


class Strides(SquaredDistance):
    """Copies of prototypes are moved by the cost, not by its root."""

    def perturbed(self, prototypes, directions, cost):
        return super().perturbed(prototypes, directions, cost**2)


class Turned(NamedTuple):
    rows: np.ndarray
    squares: np.ndarray
    sums: np.ndarray


class WrongSign(LeastAngle):
    def state(self, data, q):
        return Turned(*super().state(data, q))


def rising(state, i, share, out):
    for c in range(out.size):
        out[c] = state.squares[i] / 2
        for j in range(state.rows.shape[1]):
            out[c] += state.rows[i, j] * (state.sums[c, j] - share[c] * state.rows[i, j])


def add_row(state, i, c, amount):
    for j in range(state.rows.shape[1]):
        state.sums[c, j] += amount * state.rows[i, j]


class Whole(NamedTuple):
    rows: np.ndarray
    squares: np.ndarray
    sums: np.ndarray


class WholeOnly(LeastAngle):
    """Moves that are right for labels only: fractions are shifted as whole objects."""

    def state(self, data, q):
        return Whole(*super().state(data, q))


def falling(state, i, share, out):
    for c in range(out.size):
        out[c] = -state.squares[i] / 2
        for j in range(state.rows.shape[1]):
            out[c] -= state.rows[i, j] * (state.sums[c, j] - share[c] * state.rows[i, j])


def add_whole(state, i, c, amount):
    for j in range(state.rows.shape[1]):
        state.sums[c, j] += np.sign(amount) * state.rows[i, j]


register(Turned, rising, add_row)
register(Whole, falling, add_whole)
WEIGHTED = Weighted(X, rng.random(12) + 0.5)


class NoSmallShares(SquaredDistance):
    def statistics(self, block, q, prototypes):
        return super().statistics(block, np.where(q < 1e-3, 0.0, q), prototypes)


class NothingIsZero(SquaredDistance):
    """Without any row all prototypes are at the origin; a single empty one stays."""

    def prototypes(self, stats, previous):
        return super().prototypes(stats, previous) if stats.mass.any() else np.zeros_like(previous)


class OneBuffer(LeastAngle):
    """All states share the memory of their sums."""

    def state(self, data, q):
        state = super().state(data, q)
        held = BUFFERS.setdefault(state.sums.shape, state.sums)
        held[:] = state.sums
        return state._replace(sums=held)


BUFFERS: dict = {}


class Few(NamedTuple):
    rows: np.ndarray
    squares: np.ndarray
    sums: np.ndarray


def costs_of_three(state: Any, i: int, share: Any, out: Any) -> None:
    for c in range(out.size):
        if c < 3:
            product = 0.0
            for j in range(state.rows.shape[1]):
                product += state.rows[i, j] * state.sums[c, j]
            out[c] = -(product - share[c] * state.squares[i]) - state.squares[i] / 2
        else:
            out[c] = 1e9


def shift_of_three(state: Any, i: int, c: int, amount: float) -> None:
    for j in range(state.rows.shape[1]):
        state.sums[c, j] += amount * state.rows[i, j]


register(Few, costs_of_three, shift_of_three)


class OfThree(LeastAngle):
    """Its kernel knows three clusters."""

    def state(self, data, q):
        return Few(*super().state(data, q))


class HalfTemperature(SquaredDistance):
    def critical_temperature(self, data):
        return super().critical_temperature(data) / 2


class TemperatureOfRows(SquaredDistance):
    def critical_temperature(self, data):
        return super().critical_temperature(weigh(data)[0])


class TemperatureWithoutMass(SquaredDistance):
    def critical_temperatures(self, stats, centers):
        values, vectors = super().critical_temperatures(stats, centers)
        return values * stats.mass, vectors


class LastDirection(SquaredDistance):
    def critical_temperatures(self, stats, centers):
        values, vectors = super().critical_temperatures(stats, centers)
        return values, vectors[:, ::-1] * [1.0, -1.0]


class AboutZero(SquaredDistance):
    def scatter(self, block, q, centers):
        return super().scatter(block, q, np.zeros_like(centers))


class SingleScatter(SquaredDistance):
    def scatter(self, block, q, centers):
        stats = super().scatter(block, q, centers)
        return stats._replace(second=stats.second.astype(np.float32))


MUTANTS = {
    "small shares left out": (NoSmallShares(), X, "not linear in q"),
    "nothing at the origin": (NothingIsZero(), X, "without any row"),
    "states that share memory": (OneBuffer(), X, "a move in one state changes another"),
    "a kernel for three clusters": (OfThree(), X, "move_costs are not differences of total"),
    "half a temperature": (HalfTemperature(), X, "critical_temperature is"),
    "a temperature without weights": (TemperatureOfRows(), WEIGHTED, "critical_temperature is"),
    "temperatures of clusters": (TemperatureWithoutMass(), X, "critical_temperatures: cluster"),
    "the other direction": (LastDirection(), X, "along its direction"),
    "scatter about zero": (AboutZero(), X, "critical_temperatures: cluster"),
    "scatter in float32": (SingleScatter(), X, "in float32|in float64"),
    "statistics that do not add": (MeansForSums(), X, "do not add up"),
    "a count a block": (OneMore(), X, "do not add up|distances to the best"),
    "shares rounded": (Nearest(), X, "not linear in q"),
    "sums in float32": (SinglePrecision(), X, "added up in float32"),
    "distances without weights": (NoWeights(), WEIGHTED, "do not add up to total"),
    "sums without weights": (NoWeightsInSums(), WEIGHTED, "do not add up to total"),
    "NaN for an empty prototype": (EmptyIsNaN(), X, "hold NaN"),
    "zero for an empty prototype": (EmptyIsZero(), X, "is not the one it was"),
    "other prototypes": (Median(), X, "do not add up to total"),
    "rows that see their block": (Relative(), X, "do not add up to total|not those of its rows"),
    "names that count": (Numbers(), X, "changes when clusters are renamed"),
    "NaN for an empty cluster": (EmptyMean(), X, "total is nan"),
    "data changed": (Centres(), X, "changes data in place"),
    "shares changed": (OverwritesShares(), X, "changes q in place"),
    "data kept": (Remembers(), X, "keeps something of what it was called with .seen"),
    "chance": (Chance(), X, "differs between two equal calls"),
    "fields of labels": (Hard(), X, "fields at shares are not differences of expected"),
    "the sign of fields": (Flipped(), X, "fields at hard labels"),
    "other vectors": (OtherVectors(), X, "squared sums of vectors"),
    "another expectation": (OtherMean(), CASES["correlation"][1], "expected at hard labels is not total"),
    "another mean": (NotTheMean(), CASES["pairwise"][1], "mean is not that of independent labels"),
    "copies too far": (Strides(), X, "perturbed moves by"),
    "the sign of moves": (WrongSign(), X, "move_costs are not differences of total"),
    "moves of whole objects": (WholeOnly(), X, "running sum 'sums'"),
}


@pytest.mark.parametrize("cost, data, words", MUTANTS.values(), ids=MUTANTS)
def test_wrong_costs_are_found(cost, data, words):
    data = data.copy() if isinstance(data, np.ndarray) else data
    with pytest.raises(AssertionError, match=words):
        check_cost(cost, data, K)


def test_means_of_many_labellings_are_drawn():
    n = 14  # 3^14 labellings are too many to write down
    D = np.abs(rng.normal(size=(n, n)))
    from unmix.costs import make_dissimilarities

    assert "mean" in check_cost(Pairwise(), make_dissimilarities(D))
    with pytest.raises(AssertionError, match="mean is not that of independent labels"):
        check_cost(NotTheMean(), make_dissimilarities(D))


def test_clusters_that_differ_by_name_say_so():
    named = type("Named", (Numbers,), {"named_clusters": True, "state": None, "vectors": None})
    with pytest.raises(AssertionError, match=r"expected at hard labels|fields"):
        check_cost(named(), X)  # the names are let pass, what does not know of them is not


def test_masses_are_a_cost_of_their_own():
    start = Clusters(np.zeros((3, 2)), np.full(3, 1 / 3))
    assert check_cost(MassConstrained(SquaredDistance(), 0.5), X, prototypes=start) == ["total", "prototypes"]


def test_too_few_objects_are_refused():
    with pytest.raises(AssertionError, match="at least n_clusters objects"):
        check_cost(SquaredDistance(), X[:2], 3)


class Half(LeastAngle):
    expected = None


class Grows(SquaredDistance):
    """A cost that keeps its rows in what it calls statistics."""

    def statistics(self, block, q, prototypes):
        return super().statistics(block, q, prototypes)._replace(sums=block * 1.0)


def test_what_is_half_given_or_cannot_be_added_is_told():
    X = np.random.default_rng(0).normal(size=(7, 2))
    with pytest.raises(AssertionError, match="Half has fields but no expected: HasFields takes all"):
        check_cost(Half(), X)
    with pytest.raises(AssertionError, match="LeastAngle is a class; give a cost"):
        check_cost(LeastAngle, X)
    with pytest.raises(AssertionError, match=r"statistics of two blocks cannot be added|raises|do not"):
        check_cost(Grows(), X)
