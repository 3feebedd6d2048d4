"""How long Factorization takes beside the estimators whose objective it shares; CPU seconds, the least of some rounds.

`--quick` takes a tenth of the rows, `--only` chooses cases, `--repeat` rounds.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from unmix.decomposition import NMF, PCA, Factorization

Fit = Callable[[np.ndarray], Any]
NON_NEGATIVE = {"loss": "squared", "codes": "non_negative", "components": "non_negative"}


def main(options: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")  # a fit stopped by max_iter has its time too
    print(f"{'':34}{'CPU s':>9}{'peer':>9}{'ratio':>8}{'iterations':>12}")
    for name, (table, ours, peer) in CASES.items():
        if options.only not in name:
            continue
        X = table(10 if options.quick else 1)
        rounds = 1 if peer is None else options.repeat
        mine, model = least(ours, X, rounds)
        other = least(peer, X, rounds)[0] if peer else np.nan
        print(f"{name:34}{mine:9.3f}{other:9.3f}{mine / other:8.2f}{model.n_iter_:12d}", flush=True)


def least(fit: Fit, X: np.ndarray, rounds: int) -> tuple[float, Any]:
    best, model = np.inf, None
    for _ in range(rounds):
        start = time.process_time()
        model = fit(X)
        best = min(best, time.process_time() - start)
    return best, model


def normal(n: int, d: int, k: int, holes: float = 0.0) -> Callable[[int], np.ndarray]:
    def table(share: int) -> np.ndarray:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n // share, k)) @ rng.normal(size=(k, d)) / np.sqrt(k) + rng.normal(size=(n // share, d))
        X[rng.random(X.shape) < holes] = np.nan
        return X

    return table


def amounts(share: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    return rng.gamma(1.0, size=(20_000 // share, 10)) @ rng.gamma(0.5, size=(10, 100)) + 0.1 * rng.random((1, 100))


def levels(number: int, size: float) -> Callable[[int], np.ndarray]:
    """Each cell the most likely of some levels, whose scores have rank ten and Gumbel noise."""

    def table(share: int) -> np.ndarray:
        rng = np.random.default_rng(2)
        Z = rng.normal(size=(20_000 // share, 10))
        m = np.stack([size * Z @ rng.normal(size=(10, 100)) / np.sqrt(10) for _ in range(number)])
        return (m + rng.gumbel(size=m.shape)).argmax(axis=0).astype(float)

    return table


CASES: dict[str, tuple[Callable[[int], np.ndarray], Fit, Fit | None]] = {
    "free, PCA 20k x 100": (normal(20_000, 100, 10), Factorization(10, loss="squared").fit, PCA(10).fit),
    "free, PCA 100k x 50": (normal(100_000, 50, 5), Factorization(5, loss="squared").fit, PCA(5).fit),
    "non-negative, NMF 20k x 100": (amounts, Factorization(10, **NON_NEGATIVE).fit, NMF(10, tol=1e-6).fit),
    "holes, PCA 20k x 50": (
        normal(20_000, 50, 5, 0.2), Factorization(5, loss="squared").fit, PCA(5, missing="ignore").fit,
    ),
    "logistic, weak": (levels(2, 1.0), Factorization(10, loss="logistic", random_state=0).fit, None),
    "logistic, strong": (levels(2, 4.0), Factorization(10, loss="logistic", random_state=0).fit, None),
    "multinomial, weak": (levels(3, 1.0), Factorization(10, loss="multinomial", random_state=0).fit, None),
    "multinomial, strong": (levels(3, 4.0), Factorization(10, loss="multinomial", random_state=0).fit, None),
}  # fmt: skip
