"""What every estimator shares: checked data, weights, seeds, the frame of a fit, saving."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_random_state

from unmix.core.blocks import RowBlocks, Rows
from unmix.core.execution import current_execution
from unmix.core.iteration.checkpoint import Checkpoint, fingerprint
from unmix.core.iteration.loop import Run, running
from unmix.core.iteration.trace import Record, Trace
from unmix.core.threads import one_blas_thread
from unmix.shell.data import check_weights, to_blocks, weighted_rows
from unmix.shell.persistence import describe_parameters, save
from unmix.shell.progress import CallbackSupportMixin, callback_observer
from unmix.shell.verbose import describe, say

# Of a method that takes weights where scikit-learn's of the same name takes none: weights that a pipeline routes are
# for other steps, unless `set_fit_request(sample_weight=True)` asks for them.
NOT_ROUTED = {"sample_weight": False}


class Estimator(CallbackSupportMixin, BaseEstimator):
    """Base of every estimator. ``fit`` checks, wraps, starts, runs and stores.

    A subclass decorates its ``fit`` with `with_callbacks` (shell/progress.py) and works inside ``self._fitting(X)``.
    """

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """As scikit-learn finds them, but once for a class: reading a signature takes longer than many a small fit."""
        kind: Any = cls
        return list(_parameter_names(kind))

    def save(self, path: str | Path) -> None:
        """Write the fitted model to one file of JSON and plain arrays; `unmix.load` reads it back."""
        save(self, path)

    def _blocks(self, X: Any, *, reset: bool, **options: Any) -> RowBlocks:
        """X checked and cut into blocks; for the options see `to_blocks`."""
        blocks = to_blocks(self, X, reset=reset, **options)
        if reset:
            self._fit_dtype = blocks.dtype.str
        return blocks

    def _weights(self, sample_weight: Any, X: RowBlocks) -> np.ndarray | None:
        return check_weights(sample_weight, X)

    def _counted(self, sample_weight: Any, X: RowBlocks) -> tuple[RowBlocks, np.ndarray | None]:
        """The rows that count, and their weights: a row of weight 0 is as if it had not been given."""
        return weighted_rows(X, self._weights(sample_weight, X))

    def _seed(self) -> int:
        """One integer drawn from random_state; every stream of the fit is derived from it."""
        generator = check_random_state(self.random_state)
        return int(generator.randint(2**31 - 1))

    def _say(self, record: Record) -> None:
        """Print a record of the trace; an estimator with `verbose` may have words of its own."""
        say(describe(record))

    @contextmanager
    def _fitting(self, X: RowBlocks, seed: int, rows: Rows = None) -> Iterator[Trace]:
        """The frame of a fit: one BLAS thread, a trace that callbacks and observers see, a checkpoint if asked for."""
        settings = current_execution()
        callbacks, end = callback_observer(self)
        observers = [callbacks] + ([settings.observe] if settings.observe else [])
        if getattr(self, "verbose", 0):
            observers.append(self._say)
        trace = Trace(*observers)
        checkpoint = None
        if settings.checkpoint is not None:
            identity = {
                "estimator": type(self).__name__,
                "parameters": describe_parameters(self),
                "seed": seed,
                "data": fingerprint(X, rows),
            }
            checkpoint = Checkpoint(settings.checkpoint, identity, settings.checkpoint_seconds)
        with one_blas_thread(), running(Run(trace, checkpoint)):
            yield trace
        self.trace_ = trace.rows()
        end()


@cache
def _parameter_names(kind: Any) -> tuple[str, ...]:
    above: Any = super(Estimator, kind)
    return tuple(above._get_param_names())
