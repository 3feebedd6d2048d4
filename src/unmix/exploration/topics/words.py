"""The words of texts that can tell topics: those in several texts, but not in most, and none that only joins others."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from unmix.io.base.errors import TableError
from unmix.io.text.cells import blank_missing

_most_words = 1000
_fewest_texts, _largest_share = 2, 0.8
_word = r"(?u)\b[^\W\d_]{3,}\b"
# Beside the English ones of scikit-learn.
_joining = frozenset(
    [
        *("und", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "mit", "für", "auf", "ist", "nicht"),
        *("von", "auch", "aber", "wir", "sich", "les", "des", "une", "dans", "que", "pour", "est", "pas", "avec"),
        *("sur", "qui", "sont", "los", "las", "del", "una", "por", "con", "para", "como"),
    ]
)


class Vocabulary(NamedTuple):
    """Which words are counted."""

    counter: Any  # CountVectorizer

    @property
    def words(self) -> list[str]:
        return [str(word) for word in self.counter.get_feature_names_out()]

    def counts(self, texts: pl.Series) -> np.ndarray:
        return np.asarray(self.counter.transform(_as_list(texts)).toarray(), dtype=float)


def fit_vocabulary(texts: pl.Series) -> Vocabulary:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

    counter = CountVectorizer(
        token_pattern=_word, stop_words=sorted({*ENGLISH_STOP_WORDS, *_joining}), min_df=_fewest_texts,
        max_df=_largest_share, max_features=_most_words,
    )  # fmt: skip
    try:
        return Vocabulary(counter.fit(_as_list(texts)))
    except ValueError:
        raise TableError(
            f"Column {texts.name!r} has no words that come back in several rows but not in most; "
            "leave it out of topics."
        ) from None


def _as_list(texts: pl.Series) -> list[str]:
    return [text or "" for text in blank_missing(texts.cast(pl.String)).to_list()]
