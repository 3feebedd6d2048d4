"""Constraints by name, as parts and as values; what cannot be meant is refused in a sentence."""

import pickle

import numpy as np
import pytest

from unmix.constraints import (
    L1,
    Box,
    Fixed,
    Group,
    NonNegative,
    Ridge,
    Simplex,
    Smooth,
    Sparse,
    UnitNorm,
    resolve,
)
from unmix.constraints.named import CONSTRAINTS


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_names_stand_for_constraints(name):
    found = resolve(name)
    assert found.name == name and type(found) is CONSTRAINTS[name]
    assert pickle.loads(pickle.dumps(found)) == found


def test_parts_and_values():
    part = Ridge(0.1)
    assert resolve(part) is part
    values = np.eye(2)
    found = resolve(values)
    values[:] = 7  # what is fixed does not change with what it was made of
    assert isinstance(found, Fixed) and found.prox(np.zeros((2, 2)), 1.0).tolist() == [[1, 0], [0, 1]]
    assert pickle.loads(pickle.dumps(found)).values.tolist() == [[1, 0], [0, 1]]
    assert resolve([[1, 2]]).values.tolist() == [[1, 2]]


def test_what_is_not_known_is_refused():
    with pytest.raises(ValueError, match=r"codes='rigde' is not known; give 'free', 'ridge', .* or a Constraint"):
        resolve("rigde", "codes")
    with pytest.raises(ValueError, match=r"is a class; give an instance, Ridge\(…\)"):
        resolve(Ridge)
    with pytest.raises(ValueError, match="is not known"):
        resolve(3)
    with pytest.raises(ValueError, match="is not known"):
        resolve(None)


@pytest.mark.parametrize("make, words", [
    (lambda: Ridge(-1), "strength=-1"),
    (lambda: Ridge(np.inf), "strength=inf"),
    (lambda: Ridge("1"), "strength='1'"),
    (lambda: L1(1, np.nan), "l2=nan"),
    (lambda: NonNegative(l1=-0.1), "l1=-0.1"),
    (lambda: Box(1, 0), "low=1 and high=0"),
    (lambda: Box(np.nan, 0), "low=nan"),
    (lambda: Box("a", 1), "low='a'"),
    (lambda: Box(np.inf, np.inf), "no number"),
    (lambda: Sparse(0), "n_nonzero=0"),
    (lambda: Sparse(1.5), "n_nonzero=1.5"),
    (lambda: Simplex(0), "total=0"),
    (lambda: Simplex(np.inf), "total=inf"),
    (lambda: UnitNorm("yes"), "at_most='yes'"),
    (lambda: Smooth(order="time"), "order='time'"),
    (lambda: Group(groups="rows"), "groups='rows'"),
    (lambda: Fixed([1.0, 2.0]), "1 dimension"),
    (lambda: Fixed([[np.nan]]), "NaN"),
    (lambda: Fixed([["a"]]), "not a number"),
    (lambda: Fixed([[1.0]]).prox(np.zeros((2, 1)), 0.0), r"shape \(1, 1\), the factor has \(2, 1\)"),
    (lambda: Group(groups=[0, 1]).prox(np.zeros((2, 3)), 0.0), "2 labels for vectors of 3"),
    (lambda: Smooth(order="rows").prox(np.zeros((2, 3)), np.array([[1.0], [2.0]])), "2 different steps"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_claims_follow_the_parameters():
    assert Box(-1, 1).symmetric and not Box().symmetric and Box().bounded and not Box(0, np.inf).bounded
    assert Ridge(1).shrinks and not Ridge(0).shrinks and not NonNegative().shrinks and NonNegative(l2=1).shrinks
    assert UnitNorm().convex and not UnitNorm(at_most=False).convex
    assert [Smooth(order=order).scope for order in ("columns", "rows")] == ["vector", "matrix"]
    assert [Group(groups=groups).scope for groups in (None, "columns", [0, 1])] == ["vector", "matrix", "vector"]
    assert Group(groups=np.array([0, 1])) == Group(groups=[0, 1])  # arrays are kept as plain labels
