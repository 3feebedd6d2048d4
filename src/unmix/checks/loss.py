"""Whether a loss keeps what fitting builds on: its slope, its parabola, its best constant, what a model stands for."""

from __future__ import annotations

import pickle
import warnings
from typing import Any, NamedTuple

import numpy as np

from unmix.checks.cell import check_cells, check_stacked
from unmix.checks.evidence import Examined, HoldsParameters, Unchanged, fingerprint, leaves, require, require_close
from unmix.checks.parabola import check_curvature, check_gradient, check_line
from unmix.losses.base import Loss

N_ROWS, N_COLUMNS = 40, 3
FAR = 1e3  # numbers of a model that a loss must bear
SHIFT = 4.0  # of the origin of a column
SLACK = 1e-2  # of the value: the cell a model stands for may be the best one up to the rounding of a corner


class Problem(NamedTuple):
    """What a promise is checked on."""

    loss: Any
    x: np.ndarray  # (n, g), all of it observed
    m: np.ndarray  # (n, g · width), where the value is finite
    seen: np.ndarray  # which cells count as observed for constants
    weights: np.ndarray
    rng: np.random.Generator

    @property
    def name(self) -> str:
        return type(self.loss).__name__

    @property
    def holed(self) -> np.ndarray:
        return np.where(self.seen, self.x, np.nan)


def check_loss(loss: Any, x: Any = None, random_state: int = 0) -> list[str]:
    """Compare all that a loss offers with its `value`.

    - `value`: a number from 0 up for each cell, for far models and for the 0 that stands for what was not observed
      too, the same for rows alone and together;
    - `gradient`: differences of the value, cell by cell and along lines;
    - `curvature`: above 0, and where the loss says ``majorizes`` a parabola above the value everywhere, elsewhere no
      less than half the second derivative; `parabola` gives the same three, `newton` the same value and gradient;
    - `targets`, where it says ``quadratic``: ½ Σ (target - m)² is the value;
    - `constant`: no other constant serves the observed rows better by their weights;
    - `best`: no other cell costs less under the model, or, where ``quadratic``, the cell whose targets are met;
    - `confidence` is exp(-value), where these are probabilities of levels; `mean`, `deviation` and `error` are those
      of m, where m is the cell; columns that go together (``stacks``) are as each alone;
    - `fitted` knows what there is to know after one call, whatever the order of rows, counts rows by their weights,
      and holds parameters, no data; it can be pickled;
    - `problem` has nothing against its columns; single precision stays; nothing given is changed or kept.

    Parameters
    ----------
    loss : Loss
        With parameters of its own, or as it is before `fitted`.
    x : array of shape (n, g), optional
        Values it can measure, with different ones in each column; otherwise numbers, levels or zeros and ones are
        tried. One column, if it is not ``elementwise``.
    random_state : int, default=0

    Returns
    -------
    list of str
        What was checked. A promise that is not kept raises an AssertionError that says which.

    Examples
    --------
    >>> from unmix.checks import check_loss
    >>> from unmix.losses import Huber
    >>> check_loss(Huber())
    ['fitted', 'value', 'gradient', 'curvature', 'constant', 'best', 'precision']
    """
    require(not isinstance(loss, type), f"{getattr(loss, '__name__', loss)} is a class; give a loss, made with ()")
    name = type(loss).__name__
    require(isinstance(loss, Loss), f"{name} is no unmix.losses.Loss; derive it from it")
    require(isinstance(getattr(loss, "name", None), str), f"{name} has no name; give it one, a str")
    kind = getattr(loss, "__dataclass_params__", None)
    require(
        kind is not None and kind.frozen, f"{name} is no frozen dataclass: its parameters could change while it is used"
    )
    rng = np.random.default_rng(random_state)
    with HoldsParameters(loss), Examined(f"{name}.fitted"):
        problem = _check_fitted(loss, _values(loss, x, rng), rng)
    done = ["fitted"]
    for words, check in CHECKS:
        given = Unchanged(f"{name} ({words})", x=problem.x, m=problem.m, weights=problem.weights)
        with HoldsParameters(problem.loss), Examined(f"{name} ({words})"), given:
            check(problem)
        done.append(words)
    return done


def _values(loss: Any, x: Any, rng: np.random.Generator) -> np.ndarray:
    """What was given, or the first of several tables that the loss has nothing against."""
    name = type(loss).__name__
    if x is not None:
        x = np.asarray(x, np.float64)
        require(x.ndim == 2 and len(x) >= 10 and np.isfinite(x).all(), "give x as finite numbers, ten rows or more")
        reason = loss.problem(x)
        require(reason == "", f"{name}.problem says that x {reason}; give values it can measure")
        return x
    shape = (N_ROWS, N_COLUMNS if loss.elementwise else 1)
    levels = rng.choice(4, size=shape, p=(0.1, 0.2, 0.3, 0.4))
    levels[:4] = np.arange(4)[:, None]
    for table in (rng.normal(size=shape) + np.arange(shape[1]), levels, levels > 1, rng.random(shape)):
        if loss.problem(table.astype(np.float64)) == "":
            return table.astype(np.float64)
    raise AssertionError(f"{name} measures neither numbers nor levels 0 to 3 nor zeros and ones; give x")


def _check_fitted(loss: Any, x: np.ndarray, rng: np.random.Generator) -> Problem:
    name, n = type(loss).__name__, len(x)
    seen = rng.random(x.shape) < 0.8
    seen[np.arange(min(n, 10)) % n] = True
    weights = rng.integers(0, 4, n).astype(np.float64)
    holed = np.where(seen, x, np.nan)
    with Unchanged(f"{name}.fitted", x=holed, weights=weights):
        found = loss.fitted(np.where(seen, x, np.nan), weights)
    require(isinstance(found, Loss), f"{name}.fitted returns {type(found).__name__}, expected a Loss")
    again = found.fitted(holed, weights)
    require(fingerprint(vars(again)) == fingerprint(vars(found)), f"{name}.fitted twice differs from once")
    _check_parameters(loss, found, holed, weights)
    _check_rows(loss, found, holed, weights, rng)
    width = found.width
    require(isinstance(width, int) and width >= 1, f"{name}.width is {width!r} after fitted, expected 1 or more")
    require(width == 1 or not found.elementwise, f"{name} is elementwise, but has the width {width}")
    degrees = found.degrees()
    require(isinstance(degrees, int) and degrees >= 1, f"{name}.degrees() is {degrees!r}, expected 1 or more")
    for table in (x, holed):
        require(found.problem(table) == "", f"{name}.problem refuses what it measures: {found.problem(table)!r}")
    return Problem(found, x, _models(found, x, rng), seen, weights, rng)


def _check_parameters(loss: Any, found: Any, x: np.ndarray, weights: np.ndarray) -> None:
    """Parameters have the same size however many rows there are, and go to a worker and come back."""
    name = type(loss).__name__
    many = loss.fitted(np.tile(x, (9, 1)), np.tile(weights, 9))
    few, more = len(pickle.dumps(found)), len(pickle.dumps(many))
    require(more <= 1.1 * few + 64, f"{name}.fitted keeps data: it grows with the number of rows")
    back = pickle.loads(pickle.dumps(found))
    require(fingerprint(vars(back)) == fingerprint(vars(found)), f"{name} is another one after pickle")


def _check_rows(loss: Any, found: Any, x: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> None:
    """Parameters do not depend on the order of rows, and a weight counts a row as often."""
    order, often = rng.permutation(len(x)), np.repeat(np.arange(len(x)), weights.astype(int))
    for words, other in (
        ("changes with the order of rows", loss.fitted(x[order], weights[order])),
        ("with weights differs from rows repeated as often", loss.fitted(x[often], np.ones(len(often)))),
    ):
        for part, true in zip(_numbers(other), _numbers(found), strict=True):
            require_close(part, true, f"{type(loss).__name__}.fitted {words}")


def _numbers(loss: Any) -> list[np.ndarray]:
    return [part for part in leaves(tuple(vars(loss).values())) if part.dtype.kind in "biuf"]


def _models(loss: Any, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Numbers about the best constant, of both signs where the loss allows it."""
    shape = (len(x), x.shape[1] * loss.width)
    constant = np.broadcast_to(_constant(loss, x, np.ones(len(x))), shape)
    m = constant + rng.normal(size=shape) * rng.choice((0.1, 1.0, 4.0), size=(len(x), 1))
    value = loss.value(x, m)
    require(value.shape == x.shape, f"{type(loss).__name__}.value has shape {value.shape}, expected {x.shape}")
    inside = np.isfinite(value).all(axis=1, keepdims=True)
    positive = (np.abs(constant) + 0.01) * np.exp(rng.normal(size=shape))
    return np.where(inside, m, positive)


def _constant(loss: Any, x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    name, size = type(loss).__name__, x.shape[1] * loss.width
    found = np.asarray(loss.constant(x, weights), np.float64)
    require(found.shape == (size,), f"{name}.constant has shape {found.shape}, expected {(size,)}")
    require(np.isfinite(found).all(), f"{name}.constant is not finite")
    return found


def _check_value(problem: Problem) -> None:
    loss, x, m, name = problem.loss, problem.x, problem.m, problem.name
    value = loss.value(x, m)
    require(np.isfinite(value).all(), f"{name}.value is not finite about the best constant")
    require((value >= 0).all(), f"{name}.value is {value.min():.3g} somewhere: it must not be below 0")
    rows = slice(3, 9)
    require_close(loss.value(x[rows], m[rows]), value[rows], f"{name}.value of a row depends on other rows")
    for cells in (x, np.zeros_like(x)):
        for model in (m, np.full_like(m, FAR), np.full_like(m, -FAR), np.zeros_like(m)):
            _check_calm(problem, cells, model)


def _check_calm(problem: Problem, x: np.ndarray, m: np.ndarray) -> None:
    """Numbers without a warning; a value may be infinite where the model is impossible."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        where = f"for cells from {x.min():g} to {x.max():g} and models from {m.min():g} to {m.max():g}"
        try:
            value, gradient, curvature = problem.loss.parabola(x, m)
        except Warning as warning:
            raise AssertionError(f"{problem.name} warns {where}: {warning}") from warning
    require((value >= 0).all(), f"{problem.name}.value is below 0 or NaN {where}")
    require(np.isfinite(gradient).all(), f"{problem.name}.gradient is not finite {where}")
    require((curvature > 0).all() and np.isfinite(curvature).all(), f"{problem.name}.curvature is not above 0 {where}")


def _check_slope(problem: Problem) -> None:
    check_gradient(problem.loss, problem.x, problem.m)
    check_line(problem.loss, problem.x, problem.m, problem.rng)


def _check_parabola(problem: Problem) -> None:
    loss, x, m = problem.loss, problem.x, problem.m
    check_curvature(loss, x, m, problem.rng)
    if loss.in_units:
        words = f"{problem.name} says in_units, but its value changes when x and m are shifted"
        require_close(loss.value(x + SHIFT, m + SHIFT), loss.value(x, m), words, 1.0)
    if loss.stacks:
        check_stacked(loss, x, m)
    if loss.quadratic:
        targets = loss.targets(x)
        require(targets.shape == m.shape, f"{problem.name}.targets has shape {targets.shape}, expected {m.shape}")
        nothing = loss.targets(np.full_like(x, np.nan))
        require(np.isnan(nothing).all(), f"{problem.name}.targets is not NaN where nothing was observed")
        half = 0.5 * ((targets - m) ** 2).reshape(*x.shape, -1).sum(axis=2)
        require_close(loss.value(x, m), half, f"{problem.name} is quadratic, but its value is not ½ Σ (target - m)²")
        require((loss.curvature(x, m) == 1).all(), f"{problem.name} is quadratic, but its curvature is not 1")


def _check_constant(problem: Problem) -> None:
    """No step from it, short or long, along an axis or any other way, lowers the sum over observed cells."""
    loss, name, rng = problem.loss, problem.name, problem.rng
    size = problem.m.shape[1]
    constant = _constant(loss, problem.holed, problem.weights)
    least = _sums(problem, constant)
    ways = np.ones((1, size)) if loss.elementwise else np.vstack([np.eye(size), rng.normal(size=(20, size))])
    for way in ways:
        for step in np.geomspace(1e-3, 30, 40):
            for other in (constant + step * way, constant - step * way):
                better = least - _sums(problem, other)
                words = f"{name}.constant is not the best by weights of what was observed: another is {step:.3g} away"
                require((better <= 1e-6 * (1e-3 + least)).all(), words)
    _constant(loss, np.full_like(problem.x, np.nan), problem.weights)


def _sums(problem: Problem, constant: np.ndarray) -> np.ndarray:
    value = problem.loss.value(problem.x, np.broadcast_to(constant, problem.m.shape).copy())
    counted = problem.seen & (problem.weights[:, None] > 0)  # elsewhere it may be infinite
    return problem.weights @ np.where(counted, value, 0.0)


def _check_best(problem: Problem) -> None:
    loss, x, m, name = problem.loss, problem.x, problem.m, problem.name
    best = loss.best(m)
    require(best.shape == x.shape, f"{name}.best has shape {best.shape}, expected {x.shape}")
    reason = loss.problem(best)
    require(reason == "", f"{name}.best is no value of such a column: it {reason}")
    if loss.quadratic:
        require_close(loss.best(loss.targets(x)), x, f"{name}.best is not the cell whose targets the model meets", 1.0)
    else:
        _check_other_cells(problem, best)
    check_cells(loss, x, m)


def _check_other_cells(problem: Problem, best: np.ndarray) -> None:
    loss, x, m, name = problem.loss, problem.x, problem.m, problem.name
    least = loss.value(best, m)
    for shift in range(len(x)):
        others = loss.value(np.roll(x, shift, axis=0), m)
        words = f"{name}.best costs more under the model than another cell"
        require((least <= others + SLACK * (1 + np.abs(others)) * (best != np.roll(x, shift, axis=0))).all(), words)


def _check_precision(problem: Problem) -> None:
    loss, name = problem.loss, problem.name
    x, m = problem.x.astype(np.float32), problem.m.astype(np.float32)
    calls = [("value", (x, m)), ("gradient", (x, m)), ("curvature", (x, m)), ("best", (m,)), ("targets", (x,))]
    for call, given in calls if loss.quadratic else calls[:-1]:
        found = getattr(loss, call)(*given)
        require(found.dtype == np.float32, f"{name}.{call} of float32 is {found.dtype}, expected float32")
        if call != "best":  # two levels may be as good as each other
            true = getattr(loss, call)(*(part.astype(np.float64) for part in given))
            away = np.abs(found - true) > 1e-3 * (1 + np.abs(true))
            require(not away.any(), f"{name}.{call} of float32 differs from that of float64")
    found = loss.parabola(x, m)
    require(all(part.dtype == np.float32 for part in found), f"{name}.parabola of float32 is not float32")


CHECKS = (
    ("value", _check_value),
    ("gradient", _check_slope),
    ("curvature", _check_parabola),
    ("constant", _check_constant),
    ("best", _check_best),
    ("precision", _check_precision),
)
