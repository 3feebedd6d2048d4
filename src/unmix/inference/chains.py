"""Marginals of labels from chains that stay at one temperature, and whether to believe them.

    q_ic = mean over sweeps of p(c_i = c | the labels of all other objects)

The conditional law is known at every labelling for the price of looking at all moves, and its mean has the expectation
of the labels' own frequencies and a smaller variance (Rao and Blackwell). A cost known only by its
definition has its labels counted instead.

Where all clusters are alike the names of clusters change on the way, and over a long chain every share is 1/k. Each
labelling is therefore given the names under which it agrees most with a reference, the best labelling seen before; at
infinite temperature all shares are still 1/k, because the law that is renamed is. How often two objects are together
needs no names at all. References: Gelfand & Smith, JASA 85 (1990); Stephens, JRSS B 62 (2000).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from unmix.core.iteration.loop import iterate
from unmix.core.random import derive, spawn
from unmix.costs.base import n_objects
from unmix.inference.convergence import effective_sample_size, r_hat
from unmix.inference.mean_field import softmax
from unmix.inference.step import Visit

BATCH = 50  # sweeps, after which running sums are made anew
BURN_IN = 4  # one sweep for so many draws goes before the first of them
ROUNDING = 1e-9
MOST_KEPT = 2**26  # labels of all draws of a chain together; beyond, every second, third … labelling is kept


class Sweep(NamedTuple):
    """After a sweep: labels, which the next one changes in place, their cost, how many moved, and running sums."""

    labels: np.ndarray
    cost: float
    moved: float  # share of objects
    running: Any  # None where the cost has no moves


class Draws(Protocol):
    """A step that can stay at a temperature and tell every labelling it meets."""

    draws: int

    def walk(
        self, cost: Any, data: Any, labels: np.ndarray, temperature: float, rng: np.random.Generator, k: int
    ) -> Iterator[Sweep]:
        """One sweep after another, without end, by moves of the labels given."""


class ByVisits:
    """A sampler without a `walk` of its own: every visit at the same temperature is a draw."""

    draws = 500

    def __init__(self, step: Any) -> None:
        self.step = step

    def walk(
        self, cost: Any, data: Any, labels: np.ndarray, temperature: float, rng: np.random.Generator, k: int
    ) -> Iterator[Sweep]:
        state = self.step.restart(np.eye(k)[labels])
        while True:
            state, visit = self.step.visit(cost, data, state, temperature, rng)
            labels[:] = self.step.shares(state).argmax(axis=1)
            yield Sweep(labels, float(cost.total(data, labels)), visit.moved, None)


def drawing_step(step: Any, cost: Any, data: Any, k: int, temperature: float, seed: int) -> Draws | None:
    """What draws at one temperature: the step itself, or its visits if these tell no entropy; None for a mean field."""
    if hasattr(step, "walk"):
        return step  # type: ignore[no-any-return]
    state = step.begin(cost, data, k, spawn(seed, 0))
    _, visit = step.visit(cost, data, state, temperature, spawn(seed, 1))
    if np.isfinite(visit.entropy):
        return None
    if not hasattr(step, "restart"):
        raise ValueError(
            f"temperature={temperature:g}: {type(step).__name__} samples, and needs a method restart(q), a state at "
            "the labels q, to stay at a temperature and draw; at temperature=0 it needs none"
        )
    return ByVisits(step)


class Chain(NamedTuple):
    """A chain on its way: what was added up, and what was seen at each draw."""

    iteration: int
    done: bool
    labels: np.ndarray
    total: np.ndarray  # (n, k) the sum of the conditional laws
    costs: np.ndarray  # (draws,)
    agreement: np.ndarray  # (draws,) the share of objects that are labelled as in the reference
    moved: np.ndarray  # (draws,) the share of objects that changed
    kept: np.ndarray  # (some draws, n)

    @property
    def drawn(self) -> int:
        """Draws so far; an observer may have stopped the chain before its end."""
        return min(self.iteration * BATCH, len(self.costs))


class Equilibrium(NamedTuple):
    """What chains at one temperature have seen together."""

    shares: np.ndarray  # (n, k)
    draws: np.ndarray  # (labellings kept, n), of one chain after another
    costs: np.ndarray  # (chains, draws)
    agreement: np.ndarray  # (chains, draws)
    moved: float  # share of objects that a sweep moves

    def diagnostics(self) -> dict[str, float]:
        """R-hat and effective sample size, the worse of those of the cost and of the agreement with the reference."""
        seen = np.stack([self.costs, self.agreement], axis=2)
        agreed, size = r_hat(seen), effective_sample_size(seen)
        changing = ~np.isnan(agreed)
        chains, draws = self.costs.shape
        return {
            "r_hat": float(agreed[changing].max()) if changing.any() else np.nan,
            "effective_sample_size": float(size[changing].min()) if changing.any() else np.nan,
            "n_chains": chains,
            "n_draws": draws,
            "moved": self.moved,
        }


class ChainStart(NamedTuple):
    """Where a chain stays, and the labelling whose names it takes over where clusters are alike."""

    step: Draws
    cost: Any
    data: Any
    temperature: float
    reference: np.ndarray
    k: int
    alike: bool


def run_chains(
    step: Draws, cost: Any, data: Any, starts: list[np.ndarray], reference: np.ndarray, k: int, T: float, seed: int
) -> Equilibrium:
    """A chain from each of the labellings, with the names of one reference where clusters are alike."""
    alike = interchangeable(cost, data, k, spawn(seed, 0))
    stay = ChainStart(step, cost, data, T, reference, k, alike)
    chains = [run_chain(stay, labels, derive(seed, 1, turn)) for turn, labels in enumerate(starts)]
    count = min(chain.drawn for chain in chains)
    return Equilibrium(
        np.mean([chain.total / chain.drawn for chain in chains], axis=0),
        np.concatenate([chain.kept[: -(-chain.drawn // spacing(chain))] for chain in chains]),
        np.stack([chain.costs[:count] for chain in chains]),
        np.stack([chain.agreement[:count] for chain in chains]),
        float(np.mean([chain.moved[:count] for chain in chains])),
    )


def run_chain(stay: ChainStart, labels: np.ndarray, seed: int) -> Chain:
    """One chain: some sweeps to forget where it began, then those that count."""
    n, draws = len(labels), stay.step.draws
    kept = np.zeros((-(-draws // -(-draws * n // MOST_KEPT)), n), np.min_scalar_type(stay.k - 1))
    costs, agreement, moved = np.zeros((3, draws))
    begin = Chain(0, False, labels, np.zeros((n, stay.k)), costs, agreement, moved, kept)

    def advance(chain: Chain) -> tuple[Chain, dict[str, float]]:
        first, last = chain.drawn, min(chain.drawn + BATCH, draws)
        labels, total, costs, agreement, moved, kept = (part.copy() for part in chain[2:])
        new = Chain(chain.iteration + 1, last == draws, labels, total, costs, agreement, moved, kept)
        walk = stay.step.walk(stay.cost, stay.data, labels, stay.temperature, spawn(seed, chain.iteration), stay.k)
        for _ in range(0 if chain.iteration else -(-draws // BURN_IN)):
            next(walk)
        for t in range(first, last):
            note(stay, new, t, next(walk))
        seen = new.costs[first:last]
        visit = Visit(float(seen.mean()), float(seen.var()), np.nan, float(new.moved[last - 1]), len(seen))
        return new, visit.measured(stay.temperature)

    return iterate(advance, begin, max_iter=-(-draws // BATCH), name="draws")


def note(stay: ChainStart, chain: Chain, t: int, seen: Sweep) -> None:
    """Add draw t to the sums and series of the chain, in its names."""
    names = rename(seen.labels, stay.reference, stay.k) if stay.alike else np.arange(stay.k)
    named = names[seen.labels]
    chain.total[:, names] += conditional_laws(seen, stay.k, stay.temperature)
    chain.costs[t], chain.moved[t] = seen.cost, seen.moved
    chain.agreement[t] = np.mean(named == stay.reference)
    every = spacing(chain)
    if t % every == 0:
        chain.kept[t // every] = named


def spacing(chain: Chain) -> int:
    """Every which labelling is kept."""
    return -(-len(chain.costs) // len(chain.kept))


def conditional_laws(seen: Sweep, k: int, temperature: float) -> np.ndarray:
    """(n, k): the law of each label given all others; labels themselves where moves have no price."""
    if seen.running is None:
        return np.eye(k)[seen.labels]
    from unmix.inference.local.sweeps import price_moves

    h = np.empty((len(seen.labels), k))
    price_moves(seen.running, seen.labels, np.arange(len(h)), h, *np.zeros((2, k)))
    return softmax(h, 1 / temperature)


def rename(labels: np.ndarray, reference: np.ndarray, k: int) -> np.ndarray:
    """(k,): the name of each cluster under which most objects are labelled as in the reference."""
    from scipy.optimize import linear_sum_assignment

    overlap = np.bincount(labels * k + reference, minlength=k * k).reshape(k, k)
    return np.asarray(linear_sum_assignment(overlap, maximize=True)[1])


def interchangeable(cost: Any, data: Any, k: int, rng: np.random.Generator) -> bool:
    """Whether the cost is blind to the names of clusters, seen at random labels and two renamings that make up all."""
    labels = rng.integers(0, k, n_objects(data))
    turned, swapped = (labels + 1) % k, np.where(labels < 2, 1 - labels, labels) if k > 1 else labels
    trials = labels, turned, swapped, np.zeros_like(labels)  # the last only says how large costs are
    value, *others, one = (float(cost.total(data, names)) for names in trials)
    return all(abs(other - value) <= ROUNDING * max(abs(value), abs(one)) for other in others)
