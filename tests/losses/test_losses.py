"""What every loss promises, asked of all of them."""

import pickle

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from unmix import losses
from unmix.checks import check_loss
from unmix.losses import (
    Absolute,
    Huber,
    Indicators,
    KullbackLeibler,
    Logarithm,
    Logistic,
    Multinomial,
    Ordinal,
    Periodic,
    Poisson,
    Quantile,
    Scores,
    Squared,
)

N = 60
rng = np.random.default_rng(0)
NUMBERS = rng.normal(size=(N, 3)) * [1, 2, 5] + [0, 1, -4]
COUNTS = rng.poisson([0.5, 3, 40], size=(N, 3)).astype(float)
LEVELS = rng.choice(4, p=[0.1, 0.5, 0.1, 0.3], size=(N, 3)).astype(float)
LEVELS[LEVELS[:, 1] == 3, 1] = 0  # a column with fewer levels
BITS = (rng.random((N, 3)) < [0.1, 0.5, 0.8]).astype(float)
AMOUNTS = np.exp(rng.normal(size=(N, 3)) * [0.3, 1, 2])
AMOUNTS[::9, 1] = 0.0  # a column with zeros
HOURS = rng.uniform(0, 24, size=(N, 3)) ** 0.7

CASES = {
    "squared": (Squared(), NUMBERS),
    "logarithm": (Logarithm(), AMOUNTS),
    "absolute": (Absolute(), NUMBERS),
    "absolute by column": (Absolute((0.001, 0.1, 1.0)), NUMBERS),
    "huber": (Huber(), NUMBERS),
    "huber by column": (Huber((0.1, 1.0, 9.0)), NUMBERS),
    "quantile": (Quantile(0.8), NUMBERS),
    "quantile by column": (Quantile((0.05, 0.5, 0.9), 0.001), NUMBERS),
    "poisson": (Poisson(), COUNTS),
    "kullback-leibler": (KullbackLeibler(), COUNTS),
    "logistic": (Logistic(), BITS),
    "multinomial": (Multinomial(), LEVELS[:, :1]),
    "indicators": (Indicators(), LEVELS[:, :1]),
    "ordinal": (Ordinal(), LEVELS),
    "scores": (Scores(), LEVELS),
    "periodic": (Periodic(24.0), HOURS),
    "periodic by column": (Periodic((12.0, 24.0, 100.0)), HOURS),
}
every = pytest.mark.parametrize("loss, x", CASES.values(), ids=CASES)
elementwise = pytest.mark.parametrize("loss, x", [c for c in CASES.values() if c[0].elementwise])


def fitted(loss, x):
    return loss.fitted(x, np.ones(len(x)))


def models(loss, x, scale=2.0):
    m = scale * np.random.default_rng(1).normal(size=(len(x), x.shape[1] * loss.width))
    return np.abs(m) + 0.1 if loss.name == "kullback-leibler" else m


@every
def test_the_check_passes(loss, x):
    assert "best" in check_loss(loss, x)
    assert "best" in check_loss(fitted(loss, x), x, random_state=1)


@elementwise
def test_the_constant_is_that_of_a_search(loss, x):
    holed, weights = x.copy(), np.random.default_rng(2).integers(0, 5, N).astype(float)
    holed[::7] = np.nan
    loss = fitted(loss, holed)
    found = loss.constant(holed, weights)
    rows = np.flatnonzero(~np.isnan(holed[:, 0]))

    def total(m, column):
        shape = (len(rows), x.shape[1])
        return float(weights[rows] @ loss.value(x[rows], np.full(shape, m))[:, column])

    for column in range(x.shape[1]):
        low, high = (1e-9, 100) if loss.name == "kullback-leibler" else (-50, 50)
        starts = np.linspace(low, high, 400)
        start = starts[np.argmin([total(m, column) for m in starts])]
        step = (high - low) / 399
        true = minimize_scalar(
            total,
            (start - step, start + step),
            args=(column,),
            method="bounded",
            bounds=(start - step, start + step),
            options={"xatol": 1e-10},
        )
        assert total(found[column], column) <= true.fun * (1 + 1e-9) + 1e-12


@every
def test_weights_are_repeated_rows(loss, x):
    weights = np.random.default_rng(3).integers(0, 3, N)
    weights[:4] = 1  # every level is seen
    many = np.repeat(x, weights, axis=0)
    once, often = loss.fitted(x, weights.astype(float)), loss.fitted(many, np.ones(len(many)))
    m = models(often, x)
    np.testing.assert_allclose(once.value(x, m), often.value(x, m), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(
        once.constant(x, weights.astype(float)), often.constant(many, np.ones(len(many))), rtol=1e-7, atol=1e-9
    )


@every
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_far_models_are_borne_in_their_precision(loss, x, dtype):
    loss, cells = fitted(loss, x), x.astype(dtype)
    for size in (0.0, 1e-30, 1e3, -1e3):
        m = np.full((N, x.shape[1] * loss.width), size, dtype)
        m[:, 1:] = -m[:, 1:]  # not the same for every level
        value, gradient, curvature = loss.parabola(cells, m)
        assert (value >= 0).all() and np.isfinite(gradient).all()
        assert (curvature > 0).all() and np.isfinite(curvature).all()
        assert {value.dtype, gradient.dtype, curvature.dtype, loss.best(m).dtype} == {np.dtype(dtype)}
        assert np.isfinite(value).all() or loss.name == "kullback-leibler"


@pytest.mark.parametrize("loss", [Absolute(), Huber(), Quantile(0.3), Periodic()])
def test_numbers_may_be_as_far_as_there_are_any(loss):
    x, m = np.array([[1e300, -1e300, 0.0, 1e-300]]), np.array([[-5e299, 7e307, 1e300, -1e-300]])
    value, gradient, curvature = loss.parabola(x, m)
    assert np.isfinite(value).all() and (value >= 0).all() and np.isfinite(gradient).all() and (curvature > 0).all()


@every
def test_the_parabola_is_the_three_calls(loss, x):
    loss = fitted(loss, x)
    m = models(loss, x)
    for found, true in zip(loss.parabola(x, m), (loss.value(x, m), loss.gradient(x, m), loss.curvature(x, m))):
        np.testing.assert_allclose(found, true, rtol=1e-13, atol=1e-15)


@every
def test_steps_to_the_lowest_point_find_the_best_constant(loss, x):
    """One number for all rows, by parabolas alone, from far away."""
    loss = fitted(loss, x)
    constant = loss.constant(x, np.ones(N))
    m = np.abs(constant) + 3.0 if loss.name == "kullback-leibler" else constant + 0.2
    last = np.inf
    for _ in range(400):
        value, gradient, curvature = loss.parabola(x, np.broadcast_to(m, (N, m.size)))
        assert value.sum() <= last * (1 + 1e-12) or not loss.majorizes
        last = value.sum()
        m = m - gradient.sum(axis=0) / curvature.sum(axis=0)
    best = loss.value(x, np.broadcast_to(constant, (N, m.size)).copy()).sum()
    assert last <= best * (1 + 1e-6)


@every
def test_equal_losses_are_equal_and_go_through_pickle(loss, x):
    loss = fitted(loss, x)
    back = pickle.loads(pickle.dumps(loss))
    assert back == loss and hash(back) == hash(loss) and loss.fitted(x[:9], np.ones(9)) == loss


@every
def test_columns_without_a_value(loss, x):
    empty = np.full_like(x, np.nan)
    found = loss.fitted(empty, np.ones(N))
    assert found.problem(empty) == "" and np.isfinite(found.constant(empty, np.ones(N))).all()
    assert (found.value(np.zeros_like(x), np.zeros((N, x.shape[1] * found.width))) >= 0).all()


BAD = [
    (lambda: Huber(0.0), r"threshold=0\.0: give a finite number above 0, or one such number a column"),
    (lambda: Huber((1.0, -2.0)), "threshold"),
    (lambda: Huber("1"), "threshold='1'"),
    (lambda: Absolute(np.nan), "rounding=nan"),
    (lambda: Absolute(True), "rounding=True"),
    (lambda: Quantile(1.0), r"level=1\.0: give a finite number above 0 and below 1"),
    (lambda: Quantile(0.5, [[1.0]]), "rounding"),
    (lambda: Periodic(np.inf), "period=inf"),
    (lambda: KullbackLeibler(-1.0), "mean"),
    (lambda: Multinomial(0), "levels=0: give a whole number from 1 up"),
    (lambda: Indicators((0.0, 0.0)), "not all of them 0"),
    (lambda: Indicators((-1.0, 2.0)), "shares"),
    (lambda: Ordinal(((1.0, 0.0),)), "rising finite numbers"),
    (lambda: Scores(((1.0, 0.0),)), "rising finite numbers"),
    (lambda: Scores(((),)), "one tuple"),
    (lambda: Logarithm(((0.0, 0.0, 0.0, 0.0, 1.0),)), "the spread above 0"),
    (lambda: Logarithm(((0.0, 0.0, 1.0),)), "offset, center, spread, smallest, largest"),
    (lambda: Ordinal((1.0,)), "one tuple"),
    (lambda: Ordinal().value(np.zeros((1, 1)), np.zeros((1, 1))), "no thresholds yet"),
    (lambda: Indicators().targets(np.zeros((1, 1))), "no shares yet"),
]


@pytest.mark.parametrize("make, words", BAD)
def test_bad_parameters_are_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


PROBLEMS = [
    (Absolute(), np.inf, "holds inf; finite numbers are expected"),
    (Huber(), -np.inf, "holds -inf; finite numbers are expected"),
    (Quantile(), np.inf, "holds inf; finite numbers are expected"),
    (Periodic(), np.inf, "holds inf; finite numbers are expected"),
    (Logarithm(), -0.5, "holds -0.5; numbers from 0 up are expected"),
    (Logarithm(), np.inf, "holds inf; finite numbers are expected"),
    (Scores(), 0.5, "holds 0.5; levels are expected as whole numbers from 0 to 99999"),
    (Scores(((0.0, 1.0),)), 2.0, "holds 2.0; whole numbers from 0 to 1 are expected"),
    (Poisson(), -1.0, "holds -1.0; numbers from 0 up are expected"),
    (Poisson(), 1e35, "holds 1e+35; less than 1e+34 is expected"),
    (KullbackLeibler(), -0.5, "holds -0.5; numbers from 0 up are expected"),
    (Logistic(), 2.5, "holds 2.5; 0 and 1 are expected"),
    (Multinomial(3), 3.0, "holds 3.0; whole numbers from 0 to 2 are expected"),
    (Multinomial(), 0.5, "holds 0.5; levels are expected as whole numbers from 0 to 99999"),
    (Indicators((0.5, 0.5)), -1.0, "holds -1.0; whole numbers from 0 to 1 are expected"),
    (Ordinal(((0.0,),)), 2.0, "holds 2.0; whole numbers from 0 to 1 are expected"),
    (Ordinal(), 1e9, "holds 1000000000.0; levels are expected as whole numbers from 0 to 99999"),
]


@pytest.mark.parametrize("loss, value, words", PROBLEMS)
def test_a_column_that_cannot_be_measured_is_told_why(loss, value, words):
    assert loss.problem(np.array([[np.nan], [1.0], [value], [0.0]])) == words
    assert loss.problem(np.array([[np.nan], [1.0], [0.0]])) == ""


def test_a_level_too_many_in_one_of_several_columns():
    loss = Ordinal(((0.0,), (0.0, 1.0)))
    assert loss.problem(np.array([[1.0, 2.0]])) == ""
    assert loss.problem(np.array([[2.0, 2.0]])) == "holds 2.0; its column has fewer levels"


def test_every_loss_is_public_and_among_the_cases():
    names = {type(loss).__name__ for loss, _ in CASES.values()}
    assert names | {"Loss", "resolve"} == set(losses.__all__)
