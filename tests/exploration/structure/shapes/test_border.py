"""Valleys along borders against a plain computation, and where the answer is known."""

import numpy as np
import pytest
from scipy.interpolate import interp1d
from scipy.spatial import ConvexHull
from scipy.spatial.distance import cdist

from unmix.exploration.structure.shapes.border import border_depths
from unmix.exploration.structure.shapes.candidates import LEVEL

pytestmark = pytest.mark.slow_without_jit


def plain_depth(X, labels):
    """The least concave majorant as the upper side of a convex hull."""
    sides = []
    for own in (0, 1):
        mine, other = X[labels == own], X[labels != own]
        among = cdist(mine, mine)
        np.fill_diagonal(among, np.inf)
        t = np.sort(np.maximum(cdist(mine, other).min(axis=1) - among.min(axis=1), 0.0))
        n = len(t)
        beyond = t > 0  # rows at the border count as beyond it
        corners = np.r_[[[0.0, 0.0]], np.c_[t, np.arange(1, n + 1) / n][beyond], [[t[-1], 0.0]]]
        hull = corners[ConvexHull(corners).vertices]
        upper = hull[(hull[:, 1] > 0) | (hull[:, 0] == 0)]
        upper = upper[np.argsort(upper[:, 0])]
        majorant = interp1d(upper[:, 0], upper[:, 1])(t)
        sides.append(np.sqrt(n) * (majorant - np.arange(n) / n).max())
    return min(sides)


def ring_with_core(rng, n=300):
    angle = rng.uniform(0, 2 * np.pi, n)
    inner = np.arange(n) < n // 2
    X = np.where(inner, 0.0, 4.0)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return X + rng.normal(size=(n, 2)) * np.where(inner, 0.7, 0.35)[:, None], (~inner).astype(int)


@pytest.mark.parametrize("seed", range(3))
def test_depth_is_that_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(90, 2))
    labels = (X[:, 0] + 0.3 * rng.normal(size=90) > 0).astype(int)
    depths = border_depths(cdist(X, X), labels)
    assert depths[0, 1] == depths[1, 0] == pytest.approx(plain_depth(X, labels), abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_a_ring_around_a_core_has_a_valley_and_a_disc_cut_in_two_has_none(seed):
    rng = np.random.default_rng(seed)
    X, labels = ring_with_core(rng)
    assert border_depths(cdist(X, X), labels)[0, 1] > LEVEL
    disc = rng.normal(size=(300, 2))
    inside = (np.linalg.norm(disc, axis=1) < 1).astype(int)
    assert border_depths(cdist(disc, disc), inside)[0, 1] < 0.7 * LEVEL
