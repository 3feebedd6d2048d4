"""Imputers by name, each a function from an encoded table with holes to one without.

Others take numbers alone: numbers and ordered levels are standardised, categories and truth values become a column for
each level but the first, and the level whose column is highest is put in.  With a column for the first level too, each
column of a category would be known from its others: regressions would learn that alone, and copulas be singular.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.io.mixed import Encoding

COMPONENTS = 12  # for every table: those that tell nothing fade
Imputer = Callable[[np.ndarray, Encoding], np.ndarray]


def mean_and_mode(array: np.ndarray, encoding: Encoding) -> np.ndarray:
    filled = array.copy()
    for j, column in enumerate(encoding.columns):
        x = array[~np.isnan(array[:, j]), j]
        filled[np.isnan(array[:, j]), j] = np.bincount(x.astype(int)).argmax() if column.has_levels else x.mean()
    return filled


def iterative(array: np.ndarray, encoding: Encoding) -> np.ndarray:
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    wide = Wide(array, encoding)
    return wide.narrow(IterativeImputer(random_state=0).fit_transform(wide.table))


def neighbours(array: np.ndarray, encoding: Encoding) -> np.ndarray:
    from sklearn.impute import KNNImputer

    wide = Wide(array, encoding)
    return wide.narrow(KNNImputer().fit_transform(wide.table))


def copula(array: np.ndarray, encoding: Encoding) -> np.ndarray:
    """The most probable level of a category, by how likely the latent number of each passes its threshold."""
    vars(np).setdefault("round_", np.round)  # gcimpute calls it by the name it had before NumPy 2
    from gcimpute.gaussian_copula import GaussianCopula
    from scipy.stats import norm

    wide = Wide(array, encoding, standardize=False)
    levels = [place for _, places in wide.categories for place in places]
    ordered = [place for j, place in wide.single if encoding.columns[j].kind == "ordered"]
    numbers = [place for j, place in wide.single if encoding.columns[j].kind != "ordered"]
    model = GaussianCopula(random_state=0)
    table = model.fit_transform(wide.table, continuous=numbers or None, ordinal=sorted(ordered + levels) or None)
    threshold = norm.ppf(1.0 - np.nanmean(wide.table[:, levels], axis=0))
    spread = _latent_spread(model._corr, ~np.isnan(wide.table))[:, levels]
    table[:, levels] = norm.cdf((model._latent_Zimp[:, levels] - threshold) / spread)
    return wide.narrow(table)


def _latent_spread(correlation: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Standard deviation of each latent number given those of the known cells of its row."""
    spread = np.ones(known.shape)
    for pattern in np.unique(known, axis=0):
        o, m = np.flatnonzero(pattern), np.flatnonzero(~pattern)
        across = correlation[np.ix_(m, o)]
        explained = (across * np.linalg.solve(correlation[np.ix_(o, o)], across.T).T).sum(axis=1)
        spread[np.ix_((known == pattern).all(axis=1), m)] = np.sqrt(np.maximum(1.0 - explained, 1e-6))
    return spread


def factorization(array: np.ndarray, encoding: Encoding) -> np.ndarray:
    """Ours, from the frame with its types."""
    from unmix.decomposition import Factorization

    frame = encoding.decode(array)
    return encoding.encode(Factorization(COMPONENTS, random_state=0).fit(frame).impute(frame))


class Wide:
    """The table as numbers alone, and the way back."""

    def __init__(self, array: np.ndarray, encoding: Encoding, standardize: bool = True) -> None:
        self.array, self.single, self.categories = array, [], []  # pairs of a column and its place, or places
        parts: list[np.ndarray] = []
        for j, column in enumerate(encoding.columns):
            x = array[:, j : j + 1]
            if column.has_levels and column.kind != "ordered":
                seen = np.unique(x[~np.isnan(x)])
                start = sum(part.shape[1] for part in parts)
                self.categories.append((j, list(range(start, start + len(seen) - 1))))
                parts.append(np.where(np.isnan(x), np.nan, x == seen[1:]))
            else:
                self.single.append((j, sum(part.shape[1] for part in parts)))
                parts.append(x)
        self.table = np.hstack(parts)
        scaled = [place for _, place in self.single] if standardize else []
        self.mean, self.unit = np.zeros(self.table.shape[1]), np.ones(self.table.shape[1])
        self.mean[scaled] = np.nanmean(self.table[:, scaled], axis=0)
        self.unit[scaled] = np.nanstd(self.table[:, scaled], axis=0)
        self.unit[self.unit == 0] = 1.0
        self.table = (self.table - self.mean) / self.unit
        self.encoding = encoding

    def narrow(self, table: np.ndarray) -> np.ndarray:
        table, said = table * self.unit + self.mean, self.array.copy()
        for j, place in self.single:
            top = len(self.encoding.columns[j].levels) - 1
            said[:, j] = np.clip(np.rint(table[:, place]), 0, top) if top >= 0 else table[:, place]
        for j, places in self.categories:
            seen = np.unique(self.array[~np.isnan(self.array[:, j]), j])
            others = table[:, places]
            said[:, j] = seen[np.column_stack([1.0 - others.sum(axis=1), others]).argmax(axis=1)]
        return np.where(np.isnan(self.array), said, self.array)


IMPUTERS: dict[str, tuple[str, Any]] = {  # the module each needs, and the function
    "factorization": ("unmix", factorization),
    "mean and mode": ("numpy", mean_and_mode),
    "iterative": ("sklearn", iterative),
    "neighbours": ("sklearn", neighbours),
    "copula": ("gcimpute", copula),
}
