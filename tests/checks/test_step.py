"""check_step passes the steps of the package and finds every planted wrong one."""

from typing import NamedTuple

import numpy as np
import pytest
from scipy.special import expit

from tests.exact.costs import CASES
from unmix.checks import check_step
from unmix.costs import Cost, Gaussian, HasFields, LeastAngle, Neighborhood, Pairwise, SquaredDistance
from unmix.costs.gaussian.covariance import Spherical
from unmix.inference import (
    DeterministicAnnealing,
    Gibbs,
    MeanField,
    Metropolis,
    MetropolisHastings,
    SaddlePoint,
    Visit,
)

X = np.random.default_rng(0).normal(size=(6, 2))
COST, DATA = CASES["pairwise"]


def relabel_one_unevenly(labels, rng):
    """Label 0 is proposed three times as often, with the log ratio that makes up for it."""
    new, i = labels.copy(), rng.integers(len(labels))
    new[i] = rng.random() < 0.25
    log = np.log([0.75, 0.25])
    return new, float(log[labels[i]] - log[new[i]])


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "step",
    [
        Gibbs(),
        Metropolis(),
        Metropolis(heat_bath=True),
        MetropolisHastings(relabel_one_unevenly),
        MetropolisHastings(),
        MeanField(),
        MeanField("sequential"),
        DeterministicAnnealing(),
        DeterministicAnnealing("sequential"),
        SaddlePoint(),
    ],
    ids=lambda step: f"{type(step).__name__}-{getattr(step, 'order', '')}",
)
def test_steps_of_the_package_pass(step):
    costs = [(COST, DATA), (LeastAngle(), X), CASES["squared_distance of weighted rows"]]
    # Proposals in Python are slow, and all that such a step asks of a cost is its total.
    for cost, data in costs[:1] if isinstance(step, MetropolisHastings) else costs:
        if isinstance(cost, step.requires):
            two = getattr(step, "propose", None) is relabel_one_unevenly
            check_step(step, cost, data, 2 if two else 3, temperature=2.0)
    if isinstance(CASES["potts"][0], step.requires) and getattr(step, "propose", None) is None:
        check_step(step, *CASES["potts"], 3)


@pytest.mark.parametrize(
    "cost", [Gaussian(Spherical(), np.full(2, 1e-2)), Neighborhood([[0.8, 0.2], [0.2, 0.8]]), SquaredDistance()],
    ids=lambda cost: type(cost).__name__,
)  # fmt: skip
def test_exact_expectation_follows_costs_with_prototypes(cost):
    k = 2 if isinstance(cost, Neighborhood) else 3  # whose neighbours are a table of two
    check_step(DeterministicAnnealing(max_sweeps=500, tol=1e-6), cost, X, k)


class ColdGibbs(Gibbs):
    """Ignores the temperature: always the same."""

    def visit(self, cost, data, state, temperature, rng):
        return super().visit(cost, data, state, min(temperature, 0.5), rng)


class HotGibbs(Gibbs):
    """Draws labels at random, as if the temperature were infinite, but ends cold."""

    def visit(self, cost, data, state, temperature, rng):
        return super().visit(cost, data, state, 1e9 if temperature > 0 else 0.0, rng)


class HotWalk(Gibbs):
    """Only its walk is wrong."""

    def walk(self, cost, data, labels, temperature, rng, k):
        return super().walk(cost, data, labels, 2 * temperature, rng, k)


class Uphill(Gibbs):
    """The sign of moves is wrong."""

    def sweep(self, running, labels, beta, k, rng):
        return super().sweep(running, labels, -beta if np.isfinite(beta) else beta, k, rng)


class SquaredBoltzmann(Metropolis):
    """Accepts with exp(-2 Δ / T)."""

    def sweep(self, running, labels, beta, k, rng):
        return super().sweep(running, labels, 2 * beta, k, rng)


class Unseeded(Gibbs):
    def sweep(self, running, labels, beta, k, rng):
        return super().sweep(running, labels, beta, k, np.random.default_rng())


class SameNumbers(Gibbs):
    """Takes the same random numbers at every visit."""

    def visit(self, cost, data, state, temperature, rng):
        return super().visit(cost, data, state, temperature, np.random.default_rng(0))


class InPlace(Gibbs):
    """Moves the labels of the state it was given."""

    def visit(self, cost, data, state, temperature, rng):
        new, visit = super().visit(cost, data, state, temperature, rng)
        state.labels[:] = new.labels
        return new, visit


class Counts(Gibbs):
    """Keeps in itself what belongs into the state."""

    def visit(self, cost, data, state, temperature, rng):
        self.visited = getattr(self, "visited", 0) + 1
        return super().visit(cost, data, state, temperature, rng)


class SkipsTwo(Gibbs):
    """Never moves the first two objects above zero temperature."""

    def walk(self, cost, data, labels, temperature, rng, k):
        held = labels[:2].copy()
        for seen in super().walk(cost, data, labels, temperature, rng, k):
            if temperature > 0:
                seen.labels[:2] = held
                seen = seen._replace(cost=float(cost.total(data, seen.labels)))
            yield seen


class TellsTheBest(Gibbs):
    """Tells the best cost for the mean."""

    def visit(self, cost, data, state, temperature, rng):
        new, visit = super().visit(cost, data, state, temperature, rng)
        return new, visit._replace(cost=new.best_cost)


def uneven_without_ratio(labels, rng):
    return relabel_one_unevenly(labels, rng)[0], 0.0


class Doubled(MeanField):
    """At twice the temperature."""

    def visit(self, cost, data, state, temperature, rng):
        return super().visit(cost, data, state, 2 * temperature, rng)


class Uniform(MeanField):
    """Ignores the temperature until it is zero: shares stay equal."""

    def visit(self, cost, data, state, temperature, rng):
        return super().visit(cost, data, state, 1e9 if temperature > 0 else 0.0, rng)


class Impatient(MeanField):
    """One damped update a temperature."""

    def __init__(self):
        super().__init__(damping=0.9, max_sweeps=1)


class NotNormalised(MeanField):
    def shares(self, state):
        return 0.9 * state.q


class TooSure(MeanField):
    """Claims an entropy that its shares do not have."""

    def visit(self, cost, data, state, temperature, rng):
        state, visit = super().visit(cost, data, state, temperature, rng)
        return state, visit._replace(entropy=visit.entropy + 1.0)


class TooLow(MeanField):
    """Claims a bound below the free energy."""

    def visit(self, cost, data, state, temperature, rng):
        state, visit = super().visit(cost, data, state, temperature, rng)
        return state, visit._replace(cost=visit.cost - 10.0, bound=True)


class Greedy(MeanField):
    """Requires fields and uses moves."""

    def visit(self, cost, data, state, temperature, rng):
        cost.state(data, state.q)
        return super().visit(cost, data, state, temperature, rng)


class Elsewhere(MeanField):
    def restart(self, q):
        return super().restart(np.roll(q, 1, axis=0))


class Stale(DeterministicAnnealing):
    """Never updates its prototypes."""

    def visit(self, cost, data, state, temperature, rng):
        class Still(type(cost)):
            def prototypes(self, stats, previous):
                return previous

        return super().visit(Still(), data, state, temperature, rng)


class Labels(NamedTuple):
    labels: np.ndarray
    k: int


class Proposes:
    """Every object in turn is offered another label, and takes it by Barker's rule; right as it stands."""

    requires = Cost
    sweeps = 1

    def begin(self, cost, data, k, rng):
        return Labels(rng.integers(0, k, 6), k)

    def restart(self, q):
        return Labels(q.argmax(axis=1), q.shape[1])

    def shares(self, state):
        return np.eye(state.k)[state.labels]

    def proposed(self, old, k, rng):
        return (old + 1 + rng.integers(k - 1)) % k

    def power(self, temperature):
        return temperature

    def moved(self, changed, n):
        return changed / n

    def visit(self, cost, data, state, temperature, rng):
        labels, price, changed = state.labels.copy(), cost.total(data, state.labels), 0
        T = self.power(temperature)
        for i in np.tile(np.arange(len(labels)), self.sweeps):
            other = labels.copy()
            other[i] = self.proposed(labels[i], state.k, rng)
            rise = cost.total(data, other) - price
            if rng.random() < expit(-rise / T) if T > 0 else rise < 0:
                labels, price, changed = other, price + rise, changed + 1
        moved = self.moved(changed, self.sweeps * len(labels))
        return Labels(labels, state.k), Visit(float(cost.total(data, labels)), np.nan, np.nan, moved, self.sweeps)


class Squared(Proposes):
    """Right at the temperature 1 alone."""

    def power(self, temperature):
        return temperature**1.2


class OneWay(Proposes):
    """Offers the next label only: with two clusters this is right."""

    def proposed(self, old, k, rng):
        return (old + 1) % k if rng.random() < 0.9 else (old + 2) % k


class PrefersZero(Proposes):
    def proposed(self, old, k, rng):
        return 0 if rng.random() < 0.3 else int(rng.integers(k))


class CountsMoved(Proposes):
    def moved(self, changed, n):
        return 100.0 * changed / n


class FieldsInAnotherUnit(MeanField):
    def visit(self, cost, data, state, temperature, rng):
        return super().visit(cost, data, state, temperature**1.1, rng)


class CostOfTheBest(MeanField):
    """Tells what the most probable labels cost for the mean."""

    def visit(self, cost, data, state, temperature, rng):
        new, visit = super().visit(cost, data, state, temperature, rng)
        return new, visit._replace(cost=cost.total(data, new.q.argmax(axis=1)), bound=False)


@pytest.mark.long
def test_a_strangers_sampler_passes():
    check_step(Proposes(), COST, DATA)


MUTANTS = {
    "another unit of the temperature": (Squared(), "mean cost|frequency"),
    "proposals with a direction": (OneWay(), "frequency|mean cost|leaves object"),
    "proposals that prefer a label": (PrefersZero(), "frequency|mean cost"),
    "per cent for a share": (CountsMoved(), "moved, expected a share"),
    "fields in another unit": (FieldsInAnotherUnit(), r"away from exp\(-h/T\)|is near"),
    "the cost of the best labels": (CostOfTheBest(), "tells a mean cost of .*, that of its shares"),
    "a fixed temperature": (ColdGibbs(), "mean cost|frequency"),
    "an infinite temperature": (HotGibbs(), "mean cost"),
    "a walk at twice the temperature": (HotWalk(), "HotWalk.*(mean cost|frequency)"),
    "the wrong sign": (Uphill(), "mean cost"),
    "half the temperature": (SquaredBoltzmann(), "mean cost|frequency"),
    "no seed": (Unseeded(), "draw from rng alone"),
    "the same random numbers": (SameNumbers(), "hardly moves|mean cost|frequency"),
    "a state changed in place": (InPlace(), "changes state in place"),
    "something kept": (Counts(), "keeps something .*visited"),
    "objects left out": (SkipsTwo(), r"hardly moves objects \[0, 1\]|mean cost|frequency"),
    "the best for the mean": (TellsTheBest(), "mean cost|hardly moves"),
    "no detailed balance": (MetropolisHastings(uneven_without_ratio), "frequency|mean cost|hardly moves"),
    "twice the temperature": (Doubled(), r"away from exp\(-h/T\)"),
    "equal shares": (Uniform(), "where .* is near|away from"),
    "no rest": (Impatient(), r"away from exp\(-h/T\)|is near|leaves object"),
    "shares that do not sum to one": (NotNormalised(), "do not sum to one"),
    "an entropy it has not": (TooSure(), "tells an entropy"),
    "less than the free energy": (TooLow(), "less than the free energy"),
    "more than it requires": (Greedy(), "uses more of a cost"),
    "a restart elsewhere": (Elsewhere(), "does not begin at"),
}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("step, words", MUTANTS.values(), ids=MUTANTS)
def test_wrong_steps_are_found(step, words):
    cost, data = CASES["potts"] if isinstance(step, MetropolisHastings) else (COST, DATA)  # labels with names
    k = 2 if isinstance(step, MetropolisHastings) else 3
    with pytest.raises(AssertionError, match=words):
        check_step(step, cost, data, k)


def test_prototypes_that_are_never_updated_are_found():
    with pytest.raises(AssertionError, match=r"away from exp\(-h/T\)|leaves object"):
        check_step(Stale(), SquaredDistance(), X)


class NoVisit:
    requires = HasFields

    def begin(self, cost, data, k, rng):
        return None

    def shares(self, state):
        return None


def test_what_is_no_step_is_told():
    with pytest.raises(AssertionError, match="NoVisit is no step: it has no visit"):
        check_step(NoVisit(), Pairwise(), DATA)
    with pytest.raises(TypeError, match="SaddlePoint needs vectors"):
        check_step(SaddlePoint(), Pairwise(), DATA)


def test_a_visit_without_numbers_is_told():
    class Silent(Gibbs):
        def visit(self, cost, data, state, temperature, rng):
            state, visit = super().visit(cost, data, state, temperature, rng)
            return state, Visit(np.nan, np.nan, np.nan, visit.moved, visit.sweeps)

    with pytest.raises(AssertionError, match="nothing can be compared"):
        check_step(Silent(), COST, DATA)


class StateAlone(Gibbs):
    def visit(self, cost, data, state, temperature, rng):
        return super().visit(cost, data, state, temperature, rng)[0]


def test_what_is_no_step_or_no_visit_is_told():
    with pytest.raises(AssertionError, match="Gibbs is a class; give a step"):
        check_step(Gibbs, COST, DATA)
    with pytest.raises(AssertionError, match=r"StateAlone.visit returns Sampled, expected the next state and a Visit"):
        check_step(StateAlone(), COST, DATA)


def test_what_cannot_be_enumerated_or_required_is_told():
    class Requires(Gibbs):
        requires = None

    with pytest.raises(AssertionError, match=r"Requires.requires is None, expected a capability"):
        check_step(Requires(), COST, DATA)
    with pytest.raises(
        AssertionError, match=r"30 objects, and check_step enumerates all 3\^30 labellings; give about 6"
    ):
        check_step(Gibbs(), Pairwise(), np.ones((30, 30)))
