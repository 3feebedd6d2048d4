"""JADE: cumulants by definition, the criterion it lowers, known mixtures, and the answer of FastICA."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import kurtosis

from unmix.algorithms.independent.cumulants import cumulant_matrices
from unmix.algorithms.independent.whitening import Whitening
from unmix.io.dispatch import as_blocks
from unmix.separation import JADE, FastICA, GaussianSourcesWarning, amari_index, match_sources, whiten

from .mixtures import mixture


def cumulant(*columns):
    """cum(a, b, c, d) of centred columns, with the covariances as they are."""
    a, b, c, d = columns
    return np.mean(a * b * c * d) - sum(
        np.mean(p * q) * np.mean(r * s) for p, q, r, s in ((a, b, c, d), (a, c, b, d), (a, d, b, c))
    )


def plain(z):
    d = z.shape[1]
    return as_blocks(z), Whitening(float(len(z)), np.zeros(d), np.eye(d), np.eye(d))


@pytest.mark.parametrize("weighted", [False, True])
def test_cumulants_are_those_of_the_definition(weighted):
    z = whiten(mixture("mixed", n=400, k=3)[0]).rows
    weights = np.random.default_rng(0).integers(1, 4, len(z)) if weighted else None
    if weighted:
        white = whiten(z, sample_weight=weights)
        z = white.rows
    blocks, frame = plain(z)
    frame = frame._replace(weight=float(len(z) if weights is None else weights.sum()))
    got = cumulant_matrices(blocks, frame, None if weights is None else weights.astype(float))
    repeated = z if weights is None else np.repeat(z, weights, axis=0)
    for m, (p, q) in enumerate(itertools.combinations_with_replacement(range(3), 2)):
        for i, j in itertools.product(range(3), repeat=2):
            expected = cumulant(*(repeated[:, c] for c in (p, q, i, j))) * (1 if p == q else np.sqrt(2))
            assert got[m, i, j] == pytest.approx(expected, abs=1e-10)


def cross_cumulants(s):
    """Σ over i ≠ j and all p, q of cum(s_i, s_j, s_p, s_q)²."""
    k = s.shape[1]
    return sum(
        cumulant(*(s[:, c] for c in (i, j, p, q))) ** 2
        for i, j, p, q in itertools.product(range(k), repeat=4)
        if i != j
    )


def test_two_sources_are_at_the_best_angle_of_all():
    """The textbook's criterion, written out and minimised over the one angle there is."""
    X = mixture("mixed", n=500, k=2)[0]
    z = whiten(X).rows

    def value(angle):
        c, s = np.cos(angle), np.sin(angle)
        return cross_cumulants(z @ np.array([[c, -s], [s, c]]))

    best = min(minimize_scalar(value, bounds=(a, a + 0.5), method="bounded").fun for a in np.arange(0, 1.6, 0.4))
    assert cross_cumulants(JADE().fit_transform(X)) == pytest.approx(best, rel=1e-6)


def test_no_small_rotation_lowers_the_criterion():
    X = mixture("laplace", n=600, k=3)[0]
    sources = JADE(tol=1e-12).fit_transform(X)
    best = cross_cumulants(sources)
    for i, j in itertools.combinations(range(3), 2):
        for angle in (1e-3, -1e-3):
            turn = np.eye(3)
            turn[[i, j], [j, i]] = np.sin(angle), -np.sin(angle)
            turn[i, i] = turn[j, j] = np.cos(angle)
            assert cross_cumulants(sources @ turn) >= best


@pytest.mark.parametrize("kind", ["laplace", "uniform", "mixed"])
def test_known_mixtures_as_near_as_by_kurtosis(kind):
    X, _, A = mixture(kind, n=20_000)
    model = JADE().fit(X)
    peer = amari_index(FastICA(fun="cube", random_state=0).fit(X).components_, A)
    assert amari_index(model.components_, A) < min(1.5 * peer + 0.005, 0.05)
    sources = model.transform(X)
    np.testing.assert_allclose(np.cov(sources, rowvar=False, bias=True), np.eye(4), atol=1e-8)
    np.testing.assert_allclose(model.inverse_transform(sources), X, atol=1e-8)
    np.testing.assert_allclose(model.kurtosis_, kurtosis(sources), rtol=1e-6)


def test_any_mixing_of_the_same_sources_gives_the_same_sources():
    S = mixture("mixed", n=2000, k=3)[1]
    fits = []
    for spread in (1.0, 1e-4):
        A = np.random.default_rng(3).normal(size=(3, 3)) @ np.diag([1, 1, spread])
        fits.append(JADE().fit_transform(S @ A.T))
    match = match_sources(*fits)
    np.testing.assert_allclose(match.sources, fits[0], atol=1e-5)


def test_single_precision_and_fewer_sources_than_channels():
    rng = np.random.default_rng(0)
    S = np.column_stack([rng.laplace(size=5000), rng.uniform(-1, 1, 5000)])
    X = S @ rng.normal(size=(2, 6)) + 50
    model = JADE(2).fit(X.astype("f4"))
    assert model.components_.dtype == np.float32 and model.kurtosis_.dtype == np.float32
    assert np.abs(np.corrcoef(model.transform(X.astype("f4")).T, S.T)[:2, 2:]).max(axis=0).min() > 0.999


def test_gaussian_sources_and_too_many_are_told():
    with pytest.warns(GaussianSourcesWarning):
        JADE().fit(mixture("gaussian", n=1000, k=2)[0])
    with pytest.raises(ValueError, match="cumulants; ask for fewer"):
        JADE().fit(np.random.default_rng(0).laplace(size=(400, 160)))
    for options in ({"max_iter": 0}, {"tol": -1}, {"n_components": 0}):
        with pytest.raises(ValueError, match=next(iter(options))):
            JADE(**options).fit(mixture(n=50)[0])
