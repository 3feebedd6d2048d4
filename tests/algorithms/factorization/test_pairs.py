"""Every loss with every pair of constraints: the objective never rises, constraints are met, the end is stationary."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from unmix.constraints import (
    L1,
    Box,
    Fixed,
    Free,
    Group,
    NonNegative,
    OneHot,
    Orthonormal,
    Ridge,
    Simplex,
    Smooth,
    Sparse,
    UnitNorm,
)
from unmix.decomposition import Factorization
from unmix.losses.registry import LOSSES

N, D, K = 24, 5, 2
CONSTRAINTS = (
    Free(), Ridge(0.3), L1(0.3), NonNegative(), NonNegative(0.1, 0.1), Simplex(), OneHot(), Orthonormal(), UnitNorm(),
    UnitNorm(at_most=False), Box(), Box(-1.0, 2.0), Smooth(0.5), Smooth(0.5, order="rows", ridge=0.1), Group(0.2),
    Group(0.2, groups="columns"), Sparse(1), "fixed",
)  # fmt: skip
pytestmark = pytest.mark.slow_without_jit


def table(loss, seed=0):
    """Rank two and some noise, as the cells of the loss are."""
    rng = np.random.default_rng(seed)
    m = rng.normal(size=(N, 2)) @ rng.normal(size=(2, D))
    if loss in ("poisson", "kullback-leibler"):
        return rng.poisson(np.exp(0.5 * m)).astype(float)
    if loss == "logistic":
        return (rng.random(m.shape) < 1 / (1 + np.exp(-2 * m))).astype(float)
    if loss == "logarithm":
        return np.exp(0.5 * m + 0.3 * rng.normal(size=m.shape))
    if loss in ("multinomial", "indicators", "ordinal", "scores"):
        X = np.digitize(m + 0.5 * rng.normal(size=m.shape), [-0.7, 0.7]).astype(float)
        X[:3] = np.arange(3.0)[:, None]  # every level occurs
        return X
    if loss == "periodic":
        return np.mod(0.5 * m + 0.2 * rng.normal(size=m.shape), 2 * np.pi)
    return m + 0.3 * rng.normal(size=m.shape) + 1


def holed(X):
    out = X.copy()
    out[np.random.default_rng(1).random(X.shape) < 0.12] = np.nan
    out[:3] = X[:3]
    return out


def made(given, shape):
    """The constraint; fixed values in the shape of the factor, small and of both signs."""
    return Fixed(0.3 * np.random.default_rng(2).normal(size=shape)) if given == "fixed" else given


def pair(loss, codes, components, **options):
    width = 3 if loss in ("multinomial", "indicators") else 1
    codes, components = made(codes, (N, K)), made(components, (K, D * width))
    return Factorization(K, loss=loss, codes=codes, components=components, random_state=0, **options)


def is_allowed(loss, codes, components):
    if codes == "fixed" and components == "fixed":
        return False
    u, z = made(components, (K, D)), made(codes, (N, K))
    # means that are to lie above 0 need factors that do
    if loss == "kullback-leibler" and not all(
        isinstance(c, NonNegative | Simplex) or c in (Box(), OneHot()) for c in (z, u)
    ):
        return False
    if loss == "kullback-leibler" and u == OneHot():  # leaves columns at 0
        return False
    return all(not a.shrinks or b.holds for a, b in ((z, u), (u, z)))


def fitted(model, X, **given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, **given)


@pytest.mark.parametrize("codes", CONSTRAINTS, ids=str)
@pytest.mark.parametrize("loss", LOSSES)
def test_no_iteration_raises_the_objective(loss, codes):
    X = table(loss)
    weights = np.random.default_rng(3).integers(0, 3, N).astype(float)
    for components in CONSTRAINTS:
        if not is_allowed(loss, codes, components):
            continue
        for cells, weight in ((X, None), (holed(X), weights)):
            model = fitted(pair(loss, codes, components, max_iter=6), cells, sample_weight=weight)
            trace = np.array([row["objective"] for row in model.trace_ if row["stage"] == "factorization"])
            assert np.isfinite(trace).all(), (components, trace)
            assert (np.diff(trace) <= 1e-10 * np.maximum(np.abs(trace[:-1]), 1.0)).all(), (components, np.diff(trace))
            assert made(components, model.components_.shape).violation(model._inner()[:K]) < 1e-10, components
            if weight is not None and made(codes, (N, K)).scope != "matrix":
                assert made(codes, (N, K)).violation(model.transform(cells)) < 1e-10, components


def test_an_infinite_loss_is_said():
    model = pair("kullback-leibler", NonNegative(), OneHot())
    with pytest.raises(ValueError, match="infinite loss: components='one_hot'"):
        model.fit(table("kullback-leibler") + 1)


def proximal_gain(model, X, codes, components):
    """By how much of the objective a proximal step of each factor, from gradients alone, would lower it."""
    known = model.groups_[0]["loss"]
    seen = ~np.isnan(X)
    cells, Z, U, b = np.where(seen, X, 0.0), model.transform(X), model.components_, model.intercept_
    shape = np.tile(seen, known.width)

    def total(Z, U):
        fit = (known.value(cells, Z @ U + b) * seen).sum()
        return fit + codes.penalty(Z).sum() + components.penalty(U).sum()

    slope = known.gradient(cells, Z @ U + b) * shape
    now, gains = total(Z, U), []
    assert now == pytest.approx(model.objective_, rel=1e-8)
    for step in (1e-1, 1e-2, 1e-3):
        gains.append(now - total(codes.prox(Z - step * slope @ U.T, step), U))
        gains.append(now - total(Z, components.prox(U - step * Z.T @ slope, step)))
    return max(gains) / now


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("loss", [name for name in LOSSES if name not in ("indicators", "kullback-leibler")])
def test_the_end_is_stationary(loss, holes):
    X = holed(table(loss)) if holes else table(loss)
    for codes, components in (
        (Ridge(0.3), Ridge(0.3)),
        (L1(0.3), UnitNorm()),
        (NonNegative(0.1, 0.1), Ridge(0.3)),
        (Group(0.2), Box(-1.0, 2.0)),
        (Simplex(), Ridge(0.3)),
    ):
        model = fitted(pair(loss, codes, components, tol=1e-9, max_iter=1000), X)
        assert proximal_gain(model, X, codes, components) < 1e-5, (codes, components)
