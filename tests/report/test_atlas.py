"""The words beside the map: whether two axes show the clusters."""

import numpy as np
import pytest

from unmix.report.atlas import HIDDEN, explanation, neighbours_alike


def points(x: np.ndarray, y: np.ndarray, labels: np.ndarray) -> dict:
    return {"x": x.tolist(), "y": y.tolist(), "label": labels.tolist()}


def test_neighbours_are_counted_from_chance_to_all():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 600)
    apart = points(10.0 * labels + rng.normal(size=600), rng.normal(size=600), labels)
    mixed = points(rng.normal(size=600), rng.normal(size=600), labels)
    assert neighbours_alike(apart) == pytest.approx(1, abs=0.01)
    assert abs(neighbours_alike(mixed)) < 0.2  # 200 points: a standard error of 0.05
    clusters = [{"label": label} for label in range(3)]
    assert HIDDEN in explanation(mixed, clusters) and HIDDEN not in explanation(apart, clusters)
    assert HIDDEN not in explanation(mixed, clusters[:1])


def test_a_ring_and_its_core_are_seen():
    angle = np.linspace(0, 2 * np.pi, 120)
    core = np.random.default_rng(1).normal(scale=0.3, size=(80, 2))
    x, y = np.r_[4 * np.cos(angle), core[:, 0]], np.r_[4 * np.sin(angle), core[:, 1]]
    assert neighbours_alike(points(x, y, np.r_[np.zeros(120, int), np.ones(80, int)])) == 1


def test_points_too_few_to_have_neighbours_hide_nothing():
    assert neighbours_alike(points(np.zeros(1), np.zeros(1), np.zeros(1, int))) == 1
