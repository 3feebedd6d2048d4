"""Estimators that learn from rows as they come: one answer for a stream, in chunks of any size."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.algorithms.independent.stream import FEW_ROWS, Rule, Stream, compare, follow, window, without_far_rows
from unmix.core.linalg import power_of_two
from unmix.core.random import spawn
from unmix.separation.unmixing import Unmixing

COMPARED_ROWS = 4096  # rows by which a call is compared with those before


class StreamedUnmixing(Unmixing):
    """Base of estimators with `partial_fit`.

    A subclass says how it learns: ``_stream_rule(seed)`` gives (state of k whitened directions, learning from rows),
    ``_state`` the type of that state, ``_publish`` stores what is its own.
    """

    def partial_fit(self, X, y=None, sample_weight=None):
        """Learn from the rows of X once, in their order.

        The answer after some rows does not depend on how many came at a time. What is not seen to vary yet has
        sources of 0. Few rows, at most 4096 or eight times the channels, are held until they make a window.
        """
        self._check_parameters()
        first = not hasattr(self, "components_")
        blocks, weights = self._counted(sample_weight, self._blocks(X, reset=first, min_rows=1))
        if first:
            self._begin_stream(blocks.shape[1])
        rows = self._rule_of_stream(self._fit_dtype)
        stream, held, w = self._taken(dense_rows(blocks), weights, rows)
        while len(held) >= (size := self._window(stream)):
            stream = follow(stream, held[:size], None if w is None else w[:size], rows)
            held, w = held[size:], None if w is None else w[size:]
            self._check_rank(stream)
        self._hold(stream, held.copy(), None if w is None else w.copy())
        self._publish_stream(follow(stream, held, w, rows) if len(held) else stream, blocks.dtype)
        return self

    def _begin_stream(self, d, frame=None, learned=None):
        """No row held, and no stream yet; or after a whole fit one that goes on from there."""
        self.stream_: dict[str, Any] = {"state": None, "rows": np.empty((0, d)), "weights": None, "seed": self._seed()}
        if frame is not None:
            unit, weight = 1 / power_of_two(float(np.abs(frame.inverse).max())), float(frame.weight)
            small, mean = frame.inverse / unit, frame.mean / unit
            matrix, inverse = self.components_.astype(np.float64) * unit, self.mixing_.astype(np.float64) / unit
            stream = Stream(unit, mean, small @ small.T, weight, int(weight), 0, matrix, inverse, learned)
            self._hold(stream, self.stream_["rows"], None)

    def _hold(self, stream, rows, weights):
        """Keep what `partial_fit` goes on from: the stream, and the rows that do not make a window yet."""
        state = None if stream is None else {**stream._asdict(), "learned": stream.learned._asdict()}
        self.stream_ = {**self.stream_, "state": state, "rows": rows, "weights": weights}

    def _rule_of_stream(self, dtype):
        start, learn = self._stream_rule()
        seed = self.stream_["seed"]
        return Rule(self._number(), np.dtype(dtype), lambda k: start(self._start(k, spawn(seed, 0))), learn)

    def _window(self, stream):
        return window(stream, self.n_features_in_, self._number(), int(self.batch_size or 1))

    def _taken(self, rows, weights, rule):
        """The stream, and the rows to learn from: those held and the new ones.

        New rows that spread 100 times more or less than all before are not mixed with those that were held.
        """
        state, held, before = self.stream_["state"], self.stream_["rows"], self.stream_["weights"]
        stream = None if state is None else Stream(**{**state, "learned": self._state(**state["learned"])})
        if len(rows) > FEW_ROWS * rows.shape[1] and (len(held) or stream is not None):
            now = follow(stream, held, before, rule) if stream is None else stream
            few, w = rows[:COMPARED_ROWS], None if weights is None else weights[:COMPARED_ROWS]
            kept = without_far_rows(now, few)
            begun = compare(now, few[kept], None if w is None else w[kept])[0]
            if begun is not now:
                return begun, rows, weights
        if not len(held):
            return stream, rows, weights
        if weights is not None or before is not None:
            before = np.ones(len(held)) if before is None else before
            weights = np.concatenate([before, np.ones(len(rows)) if weights is None else weights])
        return stream, np.concatenate([held, rows]), weights

    def _check_rank(self, stream):
        found, wanted = 0 if stream is None else len(stream.matrix), self._number()
        if wanted is not None and found < wanted:
            raise ValueError(
                f"n_components={wanted}, but the first rows of the stream vary in {found} direction(s) only (constant, "
                f"repeated or dependent channels); ask for at most {max(found, 1)}, or n_components=None"
            )

    def _publish_stream(self, stream, dtype):
        """What is known after all rows that came, those that are held included."""
        d, held, k = self.n_features_in_, self.stream_["rows"], self._number() or 1
        if stream is None:
            self.components_, self.mixing_ = np.zeros((k, d), dtype), np.zeros((d, k), dtype)
            self.mean_, self.n_samples_seen_ = held.mean(axis=0).astype(dtype), float(len(held))
        else:
            k = max(k, len(stream.matrix)) if self.stream_["state"] is None else len(stream.matrix)
            self.components_ = padded(stream.matrix / stream.unit, k).astype(dtype)
            self.mixing_ = padded(stream.inverse.T * stream.unit, k).T.astype(dtype)
            self.mean_, self.n_samples_seen_ = (stream.mean * stream.unit).astype(dtype), float(stream.weight)
        self._publish(stream, dtype)


def dense_rows(blocks):
    """All rows of one call as a float64 array."""
    rows = blocks.gather()
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, dtype=np.float64)


def padded(values, k):
    """Zeros, or False, for sources that were not seen yet."""
    missing = k - len(values)
    return np.concatenate([values, np.zeros((missing, *values.shape[1:]), values.dtype)]) if missing else values
