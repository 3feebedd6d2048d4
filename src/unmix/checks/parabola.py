"""Whether the slope of a loss is that of its value, and its parabola lies where the loss says."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.checks.evidence import require, require_close

STEP = 1e-6  # of differences, relative to m
TOLERANCE = 1e-3  # of slopes by differences
POINTS = 8_001  # along a line
REACH = 8.0  # of a line, to either side


def check_gradient(loss: Any, x: np.ndarray, m: np.ndarray) -> None:
    """Differences of the value in each number of the model."""
    name, gradient = type(loss).__name__, loss.gradient(x, m)
    require(gradient.shape == m.shape, f"{name}.gradient has shape {gradient.shape}, expected {m.shape}")
    for part in range(loss.width):
        # of an elementwise loss all columns at once, else one number of the only cell
        moved = np.ones(m.shape[1]) if loss.elementwise else np.eye(loss.width)[part]
        h = STEP * (1 + np.abs(m)) * moved
        wide = (h if loss.elementwise else h.sum(axis=1, keepdims=True)) * 2
        rise = (loss.value(x, m + h) - loss.value(x, m - h)) / wide
        given = gradient if loss.elementwise else gradient[:, [part]]
        rounding = 1e-14 * np.abs(loss.value(x, m)) / wide
        wrong = np.abs(rise - given) > TOLERANCE * (1 + np.abs(given)) + rounding
        _refuse(name, "gradient is not the derivative of value", wrong, given, rise)


def check_line(loss: Any, x: np.ndarray, m: np.ndarray, rng: np.random.Generator) -> None:
    """Between near points the value rises by a mean of the slopes at both: no jump, no wrong piece."""
    name, t = type(loss).__name__, np.linspace(-REACH, REACH, POINTS)
    for row in rng.choice(len(x), 6, replace=False):
        way = rng.normal(size=m.shape[1])
        line, cells = m[row] + t[:, None] * way, np.repeat(x[[row]], POINTS, axis=0)
        value = loss.value(cells, line)
        slope = loss.gradient(cells, line) * way
        slope = slope if loss.elementwise else slope.sum(axis=1, keepdims=True)
        inside = np.isfinite(value[1:]) & np.isfinite(value[:-1])
        rise = np.diff(np.where(np.isfinite(value), value, 0.0), axis=0) / (t[1] - t[0])
        middle, spread = 0.5 * (slope[1:] + slope[:-1]), np.abs(np.diff(slope, axis=0))
        wrong = inside & (np.abs(rise - middle) > spread + TOLERANCE * (1 + np.abs(middle)))
        _refuse(name, "gradient does not add up to value along a line", wrong, middle, rise)


def check_curvature(loss: Any, x: np.ndarray, m: np.ndarray, rng: np.random.Generator) -> None:
    """Above 0, part of `parabola`, and where the loss majorizes such that nothing rises above the parabola."""
    name, curvature = type(loss).__name__, loss.curvature(x, m)
    require(curvature.shape == m.shape, f"{name}.curvature has shape {curvature.shape}, expected {m.shape}")
    require((curvature > 0).all() and np.isfinite(curvature).all(), f"{name}.curvature is not above 0 everywhere")
    alone = loss.value(x, m), loss.gradient(x, m), curvature
    for part, found, true in zip(("value", "gradient", "curvature"), loss.parabola(x, m), alone, strict=True):
        require_close(found, true, f"{name}.parabola and {name}.{part} differ", 1e-3)
    *same, bend = loss.newton(x, m)  # what the solver steps by; its curvature may be another one
    for part, found, true in zip(("value", "gradient"), same, alone[:2], strict=True):
        require_close(found, true, f"{name}.newton and {name}.{part} differ", 1e-3)
    require((bend > 0).all() and np.isfinite(bend).all(), f"{name}.newton has a curvature that is not above 0")
    if loss.majorizes:
        for step in _steps(loss, x, m, rng):
            _check_above(loss, x, m, step, alone)
    elif loss.elementwise:
        h = STEP * (1 + np.abs(m))
        second = (loss.gradient(x, m + h) - loss.gradient(x, m - h)) / (2 * h)
        _refuse(name, "curvature is far below the second derivative", curvature < 0.5 * second, curvature, second)


def _steps(loss: Any, x: np.ndarray, m: np.ndarray, rng: np.random.Generator) -> list[np.ndarray]:
    """Short and long, together and one number at a time, and where a parabola often touches: opposite, exchanged."""
    sizes = np.concatenate([np.geomspace(1e-3, 300, 60), -np.geomspace(1e-3, 300, 60)])
    steps = [size * np.abs(rng.normal(size=m.shape)) for size in sizes] + [-2 * m, -m]
    if not loss.elementwise:
        steps += [size * rng.normal(size=m.shape) for size in np.geomspace(0.1, 30, 60)]
        steps += [size * row * np.ones_like(m) for size in sizes for row in np.eye(m.shape[1])]
        steps += [m[:, rng.permutation(m.shape[1])] - m for _ in range(30)]
    return steps


def _check_above(loss: Any, x: np.ndarray, m: np.ndarray, step: np.ndarray, alone: Any) -> None:
    value, gradient, curvature = alone
    rise = (gradient * step + 0.5 * curvature * step**2).reshape(*x.shape, -1).sum(axis=2)
    there = loss.value(x, m + step)
    above = there - (value + rise)
    wrong = above > 1e-9 * (1 + np.abs(value) + np.abs(there) + np.abs(rise))
    name = type(loss).__name__
    words = "value rises above its parabola: raise the curvature, or say majorizes = False"
    _refuse(name, words, wrong, value + rise, there)


def _refuse(name: str, words: str, wrong: np.ndarray, given: np.ndarray, true: np.ndarray) -> None:
    if wrong.any():
        worst = np.unravel_index(np.argmax(wrong * np.abs(np.where(wrong, true - given, 0.0))), wrong.shape)
        raise AssertionError(f"{name}: {words} ({given[worst]:.6g} where {true[worst]:.6g} was found)")
