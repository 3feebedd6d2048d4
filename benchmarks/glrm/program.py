"""The designs of Udell, Horn, Zadeh & Boyd (2016), drawn anew: a loss for each kind of column against plain squares.

A matrix Z U of rank ten makes 40 columns of numbers, 30 of truth values (its sign) and 30 of ordered levels (rounded to
1 … 7), of 100 rows.  All cells are shown, or a tenth of them is hidden and told from the others.  Errors: mean square
of numbers, share of wrong truth values and levels, mean squared distance of levels.  Every model has the rank that made
the table and the strength of its ridge chosen from the same three by cells that neither sees.  `--repeat`: draws.
"""

import argparse
import warnings
from typing import Any

import numpy as np

from unmix.constraints import Ridge
from unmix.decomposition import Factorization

NUMBERS, TRUTH, ORDERED, RANK = 40, 30, 30, 10
STRENGTHS = (0.3, 1.0, 3.0)
MIXED = ["squared"] * NUMBERS + ["logistic"] * TRUTH + ["ordinal"] * ORDERED
SQUARES = "squared"


def main(options: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")  # of fits that reach max_iter
    print(f"{'':42}" + "".join(f"{kind:>10}" for kind in ("numbers", "truth", "ordered", "distance")))
    for hidden in (0.0, 0.1):
        for name, loss in (("a loss for each kind", MIXED), ("squares of numbers (PCA)", SQUARES)):
            found = [errors(loss, hidden, seed) for seed in range(1 if options.quick else options.repeat)]
            shown = "".join(f"{value:10.3f}" for value in np.mean(found, axis=0))
            print(f"{name + (', a tenth hidden' if hidden else ''):42}{shown}", flush=True)


def draw(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    m = rng.normal(size=(100, RANK)) @ rng.normal(size=(RANK, NUMBERS + TRUTH + ORDERED)) / np.sqrt(RANK)
    levels = np.clip(np.rint(3 * m[:, NUMBERS + TRUTH :] + 1), 1, 7) - 1
    return np.hstack([m[:, :NUMBERS], m[:, NUMBERS : NUMBERS + TRUTH] > 0, levels])


def errors(loss: Any, hidden: float, seed: int) -> list[float]:
    X = draw(seed)
    cells = np.random.default_rng(seed + 1000).random(X.shape)
    shown, other = cells >= hidden, (cells >= hidden) & (cells < hidden + 0.1)
    tried = [told(loss, X, shown & ~other, strength) for strength in STRENGTHS]
    best = STRENGTHS[int(np.argmin([sum(by_kind(X, filled, other)) for filled in tried]))]
    return by_kind(X, told(loss, X, shown, best), ~shown if hidden else shown)


def told(loss: Any, X: np.ndarray, shown: np.ndarray, strength: float) -> np.ndarray:
    holed, ridge = np.where(shown, X, np.nan), Ridge(strength)
    model = Factorization(RANK, loss=loss, codes=ridge, components=ridge, scale="column", random_state=0).fit(holed)
    return model.inverse_transform(model.transform(holed))


def by_kind(X: np.ndarray, said: np.ndarray, cells: np.ndarray) -> list[float]:
    """Squares round to the nearest level."""
    said = said.copy()
    said[:, NUMBERS : NUMBERS + TRUTH] = said[:, NUMBERS : NUMBERS + TRUTH] > 0.5
    said[:, NUMBERS + TRUTH :] = np.clip(np.rint(said[:, NUMBERS + TRUTH :]), 0, 6)
    wrong = np.where(cells, (X - said) ** 2, np.nan)
    numbers, truth, levels = np.split(wrong, [NUMBERS, NUMBERS + TRUTH], axis=1)
    missed = np.where(np.isnan(levels), np.nan, levels > 0)
    return [float(np.nanmean(part)) for part in (numbers, truth, missed, levels)]


if __name__ == "__main__":
    main(argparse.Namespace(quick=False, repeat=5))
