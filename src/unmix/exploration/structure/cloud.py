"""Is a table with categories more than one cloud?  Its codes are held to those of tables made from factors alone.

x_j = b_j + z·U_j + noise,  z flat            numbers
p(l | z) ∝ exp(β_l + z·α_l)                   levels of a category, with the shares and covariances Cov(z, l) = U_l
gap(k) = mean over such tables of log W(k)/W(1) - log W(k)/W(1)      W = squared distances to the centres of k clusters

A common factor relates all columns, so that any cut along it has rows that agree in many of them: shuffled columns are
beaten by one cloud already. W is taken in the space of the codes, each column in units of its noise, where groups stand
apart if they do. A flat law of z makes more compact halves than a normal one does, so chance is not taken for groups;
what the model leaves out shifts the gap a little, so a clear one has to be large as well.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtr, softmax
from sklearn.exceptions import ConvergenceWarning

from unmix.cluster import KMeans
from unmix.core.random import spawn
from unmix.exploration.columns.encode import Indicators, NumberScale
from unmix.exploration.columns.preparation import Prepared
from unmix.validation.fits.refit import in_parallel, labels_of, refit

if TYPE_CHECKING:
    from unmix.losses.base import Loss

_most_rows = 1000  # on which the table and those made like it are compared
_most_components, _tolerance, _most_iterations = 6, 1e-5, 200
_vanishing, _least_size = 1e3, 0.05  # what makes idle components vanish, and the size of one, in units of the noise
_n_latent, _n_rounds, _steepest = 400, 12, 2.0  # points and rounds to find β and α, and the largest |α|
_n_references, _most_clusters = 15, 6
_clear, _large = 4.0, 0.2  # standard deviations, and natural logarithms, that make evidence of groups
_least_noise = 1e-4


class Link(NamedTuple):
    """How the level of a category hangs on the codes: log-odds (L,) at 0 and their slopes (m, L)."""

    level: np.ndarray
    slope: np.ndarray

    def shares(self, latent: np.ndarray) -> np.ndarray:
        return np.asarray(softmax(self.level + latent @ self.slope, axis=1))


class Cloud(NamedTuple):
    """Components (m, d), mean and noise (d,) of the features of a table, how often each counts, and their scales."""

    components: np.ndarray
    mean: np.ndarray
    noise: np.ndarray
    counts: np.ndarray
    scales: list[NumberScale | Indicators]
    links: list[Link | None]  # of each scale that has levels

    @property
    def directions(self) -> np.ndarray:
        """(m, d) orthonormal: the plane of the codes among the features as they are."""
        return np.linalg.qr(self.components.T)[0].T

    def codes(self, X: np.ndarray) -> np.ndarray:
        """Rows in the plane of the components, with columns in units of their noise."""
        weights = np.sqrt(self.counts / self.noise)
        axes = np.linalg.qr((self.components * weights).T)[0]
        return ((X - self.mean) * weights) @ axes

    def table(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """n rows without groups, with the relations between columns that the table has."""
        latent = _flat(n, len(self.components), rng)
        rows = self.mean + latent @ self.components
        start = 0
        for scale, link in zip(self.scales, self.links):
            place = slice(start, start + len(scale.features))
            if isinstance(scale, Indicators) and link is not None:
                rows[:, place] = _drawn_levels(link.shares(latent), scale, rng)
            else:
                rows[:, place] += np.sqrt(self.noise[place]) * rng.standard_normal((n, 1))
            start = place.stop
        return rows


def fit_cloud(prepared: Prepared, rows: np.ndarray, seed: int) -> Cloud | None:
    """The factors of the columns on some rows; None where there is one column, or no category among them."""
    from unmix.constraints import Normal
    from unmix.decomposition import Factorization  # tables of numbers do without

    scales = prepared.scales
    if len(scales) < 2 or not prepared.category.any():
        return None
    X = prepared.X[rows]
    model = Factorization(
        min(_most_components, len(scales) - 1), loss=[_loss(scale) for scale in scales],
        codes=Normal(_vanishing * X.shape[1]), scale="column",
        tol=_tolerance, max_iter=_most_iterations, random_state=seed,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a rough cloud will do
        model.fit(_narrow(np.where(prepared.holes[rows], np.nan, X), scales))
    unit = np.concatenate([_unit(scale) for scale in scales])
    components = np.asarray(model.components_, float) * unit
    left = X.var(axis=0) - (components**2).sum(axis=0)
    noise, counts = _of_columns(np.maximum(left, _least_noise), scales)
    size = (counts * components**2 / noise).sum(axis=1)
    kept = components[size > _least_size]
    return Cloud(kept, X.mean(axis=0), noise, counts, scales, _links(kept, scales, seed))


def _narrow(X: np.ndarray, scales: list[NumberScale | Indicators]) -> np.ndarray:
    """One column for each of the table: numbers as they are, the number of the level for its indicators."""
    ends = np.cumsum([len(scale.features) for scale in scales])
    parts = [X[:, end - len(scale.features) : end] for scale, end in zip(scales, ends)]
    return np.column_stack([
        part.argmax(axis=1) if isinstance(scale, Indicators) else part[:, 0] for scale, part in zip(scales, parts)
    ])  # fmt: skip


def _loss(scale: NumberScale | Indicators) -> Loss:
    from unmix import losses

    return losses.Indicators(shares=tuple(scale.center)) if isinstance(scale, Indicators) else losses.Squared()


def _unit(scale: NumberScale | Indicators) -> np.ndarray:
    """What the features are in, of what the losses look at: indicators over the root of their share."""
    return np.sqrt(scale.center) / scale.scale if isinstance(scale, Indicators) else np.ones(1)


def _of_columns(noise: np.ndarray, scales: list[NumberScale | Indicators]) -> tuple[np.ndarray, np.ndarray]:
    """The noise that the levels of a category have in common, and how often each counts: L levels are L - 1 numbers."""
    width = np.array([len(scale.features) for scale in scales])
    place = np.repeat(np.arange(len(scales)), width)
    common = np.bincount(place, noise) / width
    return common[place], np.where(width > 1, 1 - 1 / width, 1.0)[place]


def coded(X: np.ndarray, cloud: Cloud | None) -> np.ndarray:
    """The rows with nothing but their codes left, as points among the features; X itself where there are none."""
    if cloud is None or not len(cloud.components):
        return X
    return cloud.mean + ((X - cloud.mean) @ cloud.directions.T) @ cloud.directions


def chance_of(cloud: Cloud, X: np.ndarray, seed: int) -> float:
    """The probability that one cloud looks as much like groups as these rows; 1 where columns are not related."""
    if not len(cloud.components):
        return 1.0
    rng = spawn(seed, 13)
    rows = X if len(X) <= _most_rows else X[np.sort(rng.choice(len(X), _most_rows, replace=False))]
    most = min(_most_clusters, len(np.unique(rows, axis=0)))
    if most < 2:
        return 1.0
    seeds = rng.integers(2**31, size=_n_references)
    seen = _log_spreads(cloud.codes(rows), most, int(seeds[0]))

    def made(i: int) -> np.ndarray:
        return _log_spreads(cloud.codes(cloud.table(len(rows), np.random.default_rng(seeds[i]))), most, int(seeds[i]))

    chance = np.array(in_parallel(made, _n_references, "references"))
    gap = chance.mean(axis=0) - seen
    error = np.maximum(chance.std(axis=0, ddof=1), 1e-9) * np.sqrt(1 + 1 / _n_references)
    strength = min(float((gap / error).max()) / _clear, float(gap.max()) / _large)
    return float(ndtr(-2.0 * strength))


def _log_spreads(codes: np.ndarray, most: int, seed: int) -> np.ndarray:
    """log W(k)/W(1) for k = 2 … most."""
    whole = float(((codes - codes.mean(axis=0)) ** 2).sum()) or 1.0
    return np.log([max(_spread(codes, k, seed) / whole, 1e-12) for k in range(2, most + 1)])


def _spread(codes: np.ndarray, k: int, seed: int) -> float:
    labels = labels_of(refit(KMeans(k), codes, seed), codes)
    _, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(inverse, column) for column in codes.T], axis=1) / counts[:, None]
    return float(((codes - means[inverse]) ** 2).sum())


def _drawn_levels(shares: np.ndarray, scale: Indicators, rng: np.random.Generator) -> np.ndarray:
    """Indicators of one level a row."""
    center, edges = np.array(scale.center), np.cumsum(shares, axis=1)
    chosen = (edges < rng.random((len(edges), 1)) * edges[:, -1:]).sum(axis=1).clip(0, len(center) - 1)
    return (np.eye(len(center))[chosen] - center) / scale.scale


def _links(components: np.ndarray, scales: list[NumberScale | Indicators], seed: int) -> list[Link | None]:
    latent = _flat(_n_latent, len(components), spawn(seed, 14))
    found: list[Link | None] = []
    start = 0
    for scale in scales:
        stop = start + len(scale.features)
        covariance = components[:, start:stop] * scale.scale
        found.append(_link(covariance, np.array(scale.center), latent) if isinstance(scale, Indicators) else None)
        start = stop
    return found


def _link(covariance: np.ndarray, share: np.ndarray, latent: np.ndarray) -> Link:
    """Log-odds and slopes that give these shares and covariances with the codes, nearly: a few rounds towards them."""
    link = Link(np.log(share), covariance / share)
    for _ in range(_n_rounds):
        shares = link.shares(latent)
        reached = latent.T @ (shares - shares.mean(axis=0)) / len(latent)
        level = link.level + np.log(share / np.maximum(shares.mean(axis=0), 1e-6))
        slope = link.slope + (covariance - reached) / share
        link = Link(level, np.clip(slope, -_steepest, _steepest))
    return link


def _flat(n: int, m: int, rng: np.random.Generator) -> np.ndarray:
    """Codes of unit variance, flat in a cube."""
    return rng.uniform(-np.sqrt(3), np.sqrt(3), (n, m))
