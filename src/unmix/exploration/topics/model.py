"""Topics of texts: X ≈ Z U by relative entropy, X counts of words, a row of U a topic, a row of Z its share in a text.

How many topics: a fifth of the words, drawn one by one, is put aside. Counts that follow Poisson's law part into
independent ones, so the log-likelihood of the words aside under (1/4) Z U of the others is an honest score; the
smallest number within a standard error of the best one is taken.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.core.random import spawn
from unmix.decomposition import NMF
from unmix.exploration.topics.words import Vocabulary, fit_vocabulary
from unmix.io.base.errors import TableError

_most_topics = 8
_most_rows = 2000  # from which the number of topics is judged
_most_texts, _batch = 10_000, 5000  # from which topics are learned, and that are looked at together
_aside = 0.2
_rough, _fine = 60, 300  # iterations of the judged fits, and of the last
_shown_words = 3
_least = 1e-9


class Topics(NamedTuple):
    """The topics of one column of texts, named by the words that are most their own."""

    column: str
    vocabulary: Vocabulary
    model: Any
    names: list[str]

    def shares(self, texts: pl.Series) -> pl.DataFrame:
        """One column a topic: its share among the words of a text; null where a text has none of the words."""
        parts = [self._shares(texts[start : start + _batch]) for start in range(0, max(len(texts), 1), _batch)]
        shares = np.vstack(parts)
        return pl.DataFrame({name: shares[:, j] for j, name in enumerate(self.names)}).fill_nan(None)

    def _shares(self, texts: pl.Series) -> np.ndarray:
        counts = self.vocabulary.counts(texts)
        weights = np.asarray(self.model.transform(counts)) * self.model.components_.sum(axis=1)
        total, empty = weights.sum(axis=1, keepdims=True), counts.sum(axis=1) == 0
        return np.where(empty[:, None], np.nan, weights / np.maximum(total, _least))


def fit_topics(texts: pl.Series, seed: int, taken: list[str]) -> Topics:
    """Topics of a column; none of their names is among those `taken`."""
    if len(texts) > _most_texts:
        texts = texts.gather(np.sort(spawn(seed, 16).choice(len(texts), _most_texts, replace=False)))
    vocabulary = fit_vocabulary(texts)
    counts = vocabulary.counts(texts)
    counts = counts[counts.sum(axis=1) > 0]
    if len(counts) < 10 or counts.shape[1] < 4:
        raise TableError(
            f"Column {texts.name!r} has too few words that come back in several rows to form topics; "
            "leave it out of topics."
        )
    model = _fit(counts, choose_number(counts, seed), seed, _fine)
    return Topics(texts.name, vocabulary, model, _names(texts.name, model.components_, vocabulary.words, taken))


def choose_number(counts: np.ndarray, seed: int) -> int:
    """The number of topics that tells words put aside, no larger than it need be."""
    rng = spawn(seed, 15)
    if len(counts) > _most_rows:
        counts = counts[np.sort(rng.choice(len(counts), _most_rows, replace=False))]
    aside = rng.binomial(counts.astype(int), _aside)
    seen = counts - aside
    most = min(_most_topics, counts.shape[1] - 1)
    scores = np.array([_told(seen, aside, k, seed) for k in range(1, most + 1)])  # (K, n)
    means = scores.mean(axis=1)
    best = int(means.argmax())
    error = (scores[best] - scores).std(axis=1) / np.sqrt(len(counts))
    return max(2, 1 + int(np.argmax(means >= means[best] - error)))


def _told(seen: np.ndarray, aside: np.ndarray, k: int, seed: int) -> np.ndarray:
    """Log-likelihood of the words put aside, row by row."""
    rate = seen.sum(axis=1, keepdims=True) * seen.sum(axis=0) / max(seen.sum(), 1.0)
    model = _fit(seen, k, seed, _rough)
    parts = np.asarray(model.transform(seen)) @ model.components_
    rate = _aside / (1 - _aside) * (0.95 * parts + 0.05 * rate)  # no word is impossible
    return np.asarray((aside * np.log(rate + _least) - rate).sum(axis=1))


def _fit(counts: np.ndarray, k: int, seed: int, max_iter: int) -> NMF:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a rough fit tells enough
        return NMF(k, beta_loss="kullback-leibler", max_iter=max_iter, random_state=seed).fit(counts)


def _names(column: str, parts: np.ndarray, words: list[str], taken: list[str]) -> list[str]:
    """Words that are frequent in the topic and rare in the others."""
    share = parts / np.maximum(parts.sum(axis=1, keepdims=True), _least)
    own = share * np.log((share + _least) / (share.mean(axis=0) + _least))
    names: list[str] = []
    for topic in own:
        said = " ".join(words[j] for j in np.argsort(-topic, kind="stable")[:_shown_words])
        name, extra = f"{column}: {said}", 2
        while name in names or name in taken:
            name, extra = f"{column}: {said} ({extra})", extra + 1
        names.append(name)
    return names
