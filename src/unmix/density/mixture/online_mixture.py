"""`partial_fit` of a Gaussian mixture: rows kept until there are enough for a start, then a step with every batch."""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from unmix.core.arguments import whole_number, zero_or_more
from unmix.core.blocks import RowBlocks
from unmix.core.iteration.loop import iterate
from unmix.core.scaling.standardize import Spread
from unmix.density.mixture.mixture_density import MixtureDensity
from unmix.density.mixture.online import LEAST_REGULARIZATION, Rule, Running, begin, collapsed, online_em_step, shown
from unmix.density.mixture.typical import measure_typical
from unmix.density.mixture.warm_up import STARTS, Kept, enough_rows, gather, in_batches, is_due, repeated
from unmix.io.dispatch import as_blocks
from unmix.shell.missing import ignores_missing
from unmix.shell.progress import with_callbacks

RULES = ("em", "sgd")
SCHEDULES = ("power", "inverse", "constant")


class Step(NamedTuple):
    """Carried through the batches of one call."""

    iteration: int
    done: bool
    running: Running
    log_likelihood: float  # mean of the batch, before the step


class OnlineMixture(MixtureDensity):
    """Learns from batches; `_best_of_runs` of the subclass fits the first rows."""

    n_steps_: int
    lower_bound_: float
    _fit_sparse: bool

    @with_callbacks
    def partial_fit(self, X, y=None, sample_weight=None):
        """Learn from further rows, in one step or in steps of ``batch_size`` rows.

        The first rows are kept until there are enough to start from, 160 for every component (20 (d + 3) with full
        covariances, if that is more), and the mixture is fitted to them whenever they have doubled. From then on every
        batch is one step, and nothing is kept of it. After `fit`, goes on from the mixture fitted.

        Parameters
        ----------
        X : array, data frame, sparse matrix, path or dask collection of shape (n, d)
            With ``missing="ignore"``, NaN stands for a missing value.
        y : ignored
        sample_weight : array of shape (n,), default=None
            Weight 2 counts a row twice, weight 0 leaves it out.

        Returns
        -------
        self
        """
        self._check_parameters()
        first = not hasattr(self, "statistics_")
        blocks, weights = self._counted(sample_weight, self._blocks(X, reset=first, allow_nan=ignores_missing(self)))
        seed = self._seed()
        if first:
            running, kept, steps, bound, self._fit_sparse = None, None, 0, np.nan, blocks.sparse
        else:
            running, kept, steps, bound = *_read(self.statistics_), self.n_steps_, self.lower_bound_
        settled = not first and kept is None
        before = self._gone(running) if settled else (0, 0)
        with self._fitting(blocks, seed, weights):
            batches = waiting = in_batches(blocks, weights, self.batch_size, seed, steps)
            if not settled:
                running, kept, bound, waiting = self._warm_up(blocks, weights, running, kept, bound, batches, seed)
            start = Step(0, False, running, bound)
            last = iterate(self._one_step(blocks, weights, waiting), start, max_iter=len(waiting), name="online")
        self._store_step(last, kept, steps + len(batches), blocks.dtype)
        if kept is None:  # what is fitted to few rows soon changes
            self._warn_of(*(now if now > then else 0 for now, then in zip(self._gone(last.running), before)))
        return self

    def _warm_up(self, blocks: RowBlocks, weights, running, kept: Kept | None, bound: float, batches, seed: int):
        """The start from rows kept and new ones; what is still kept, and which batches are still to be learned from."""
        enough = enough_rows(self.covariance_type, self.n_components, blocks.shape[1])
        mass = 0.0 if kept is None else mass_of(kept.rows, kept.weights)
        kept, waiting = gather(blocks, weights, kept, batches, enough, seed)
        for rows in batches[: len(batches) - len(waiting)]:  # a sample of a batch that waits does not count twice
            mass += mass_of(rows, None if weights is None else weights[rows])
        if is_due(kept, enough):
            rows, own = repeated(kept, self.n_components)
            X = as_blocks(rows)
            spread = measure_typical(X, own, common=self.covariance_type == "spherical")
            runs = self.n_init if self.means_init is not None else max(self.n_init, STARTS)
            fit, units, family = self._best_of_runs(X, own, spread, seed, runs)
            running, bound = begin(fit.mixture, units, family, spread, mass), fit.lower_bound
            kept = kept._replace(fitted=len(kept.rows))
        return running, kept if len(kept.rows) < enough else None, bound, waiting

    def _store_step(self, last: Step, kept: Kept | None, steps: int, dtype) -> None:
        self.statistics_ = _written(last.running, kept)
        self.n_steps_, self.lower_bound_ = steps, float(last.log_likelihood)
        for name, array in shown(last.running, self.covariance_type, dtype).items():
            setattr(self, name, array)

    def _one_step(self, blocks: RowBlocks, weights, batches: list[np.ndarray]):
        regularization = max(self.reg_covar, LEAST_REGULARIZATION)
        rule = Rule(self.online, self.schedule, self.learning_rate, self.tau, self.kappa, regularization)

        def advance(state: Step) -> tuple[Step, dict[str, float]]:
            rows, X, w = batches[state.iteration], blocks, weights
            if self.batch_size is not None:
                X, w = as_blocks(blocks.take(rows)), None if weights is None else weights[rows]
            running, log_likelihood = online_em_step(X, w, state.running, self.covariance_type, rule)
            return Step(state.iteration + 1, False, running, log_likelihood), {"log_likelihood": log_likelihood}

        return advance

    def _carry_on_from(self, best: tuple, spread: Spread, blocks: RowBlocks, weights) -> None:
        """After a fit."""
        fit, units, family = best
        self.statistics_ = _written(begin(fit.mixture, units, family, spread, mass_of(blocks, weights)), None)
        self.n_steps_ = 0

    def _gone(self, running: Running) -> tuple[int, int]:
        """How many components hold no row, and how many have shrunk to a point."""
        points = collapsed(running, self.covariance_type, max(self.reg_covar, LEAST_REGULARIZATION))
        return int((running.weights == 0).sum()), int(points.sum())

    def _check_online(self) -> None:
        for name, options in (("online", RULES), ("schedule", SCHEDULES)):
            if getattr(self, name) not in options:
                raise ValueError(f"{name}={getattr(self, name)!r}: give one of {', '.join(map(repr, options))}")
        if not isinstance(self.learning_rate, Real) or not 0 < self.learning_rate <= 1:
            raise ValueError(f"learning_rate={self.learning_rate!r}: give a number above 0 and up to 1")
        for name in ("tau", "kappa"):
            zero_or_more(name, getattr(self, name))
        if self.batch_size is not None:
            whole_number("batch_size", self.batch_size, 1, " or None")


def mass_of(X: Any, weights: np.ndarray | None) -> float:
    return float(X.shape[0] if weights is None else weights.sum())


def _written(running: Running, kept: Kept | None) -> dict[str, Any]:
    return {"running": running._asdict(), "kept": None if kept is None else kept._asdict()}


def _read(statistics: dict[str, Any]) -> tuple[Running, Kept | None]:
    kept = statistics["kept"]
    return Running(**statistics["running"]), None if kept is None else Kept(**kept)
