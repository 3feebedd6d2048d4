"""Every constraint of the package passes; every planted mutant is caught, and the sentence says what is wrong."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from unmix.checks import check_constraint
from unmix.constraints import (
    L1,
    Box,
    Constraint,
    Entry,
    Fixed,
    Free,
    Group,
    NonNegative,
    Normal,
    OneHot,
    Orthonormal,
    Ridge,
    Simplex,
    Smooth,
    Sparse,
    UnitNorm,
)

COMMON = ["protocol", "prox", "allowed", "nearest", "penalty", "scope", "claims"]
RIGHT = [
    (Free(), ["entry"]),
    (Ridge(0.7), ["entry"]),
    (Ridge(0.0), ["entry"]),
    (Normal(), ["entry"]),
    (L1(0.4, 0.9), ["entry"]),
    (NonNegative(0.3, 0.5), ["entry"]),
    (Box(-0.2, 0.4), ["entry"]),
    (Box(0.5, np.inf), ["entry"]),
    (Sparse(2), ["solve"]),
    (Simplex(2.5), []),
    (OneHot(), ["solve"]),
    (UnitNorm(), ["solve"]),
    (UnitNorm(at_most=False), ["solve"]),
    (Smooth(0.9), ["solve"]),
    (Smooth(0.9, ridge=0.3), ["solve"]),
    (Smooth(0.9, "rows"), []),
    (Group(0.4), []),
    (Group(0.5, ("a", "b", "a", "a")), []),
    (Group(0.3, "columns"), []),
    (Orthonormal(), []),
    (Fixed(np.arange(20.0).reshape(5, 4)), ["solve"]),
]


@pytest.mark.parametrize("constraint, more", RIGHT, ids=lambda part: repr(part)[:30])
def test_constraints_of_the_package_pass(constraint, more):
    assert check_constraint(constraint) == [*COMMON, *more]


@pytest.mark.parametrize("shape", [(1, 4), (4, 1), (2, 7), (7, 2)])
@pytest.mark.parametrize("constraint", [L1(), Sparse(), Simplex(), UnitNorm(), Group(), Orthonormal()])
def test_in_other_shapes(constraint, shape):
    assert check_constraint(constraint, shape, random_state=3)[:7] == COMMON


def mutant(base, **changed):
    """A constraint of the package with some of its parts replaced."""
    return type("mutant", (base,), changed)


def constant_threshold(self, V, step):
    return L1(1.0).prox(V, 1.0)


def too_far(self, V, step):
    return L1(1.0001).prox(V, step)


def in_place(self, V, step):
    V[V < 0] = 0
    return V.copy()


def shares_of_the_positive(self, V, step):
    W = np.maximum(V, 1e-9)
    return W / W.sum(axis=1, keepdims=True)


def mean_step(self, V, step):
    return Ridge.prox(Ridge(), V, float(np.mean(step)))


def less_the_mean(self, V, step):
    return V - V.mean(axis=0)


def no_projection_without_a_step(self, V, step):
    return V.copy() if np.all(np.asarray(step) == 0) else np.maximum(V, 0)


def first_entries(self, V, step):
    return np.where(np.arange(V.shape[1]) < 2, V, 0).astype(V.dtype)


def by_qr(self, V, step):
    q, r = np.linalg.qr(V if len(V) > V.shape[1] else V.T)
    q = (q * np.sign(np.diag(r))).astype(V.dtype)
    return q if len(V) > V.shape[1] else q.T


def directions(self, V, step):
    return V / np.linalg.norm(V, axis=1, keepdims=True)


def in_a_circle(self, V, step):
    k = V.shape[1]
    ring = 2 * np.eye(k) - np.roll(np.eye(k), 1, axis=0) - np.roll(np.eye(k), -1, axis=0)
    W = [np.linalg.solve(np.eye(k) + t * ring, v) for t, v in zip(np.broadcast_to(step, (len(V), 1)).ravel(), V)]
    return np.array(W, dtype=V.dtype).reshape(V.shape)


def without_the_size(self, V, step):
    return Group(0.5).prox(V, step)


def with_chance(self, V, step):
    return np.maximum(V, 0) + np.random.default_rng().uniform(0, 1e-9, V.shape).astype(V.dtype)


def of_the_least(self, V, step):
    return OneHot.prox(OneHot(), -V, step)


def nearest_cross_alone(self, gram, cross, V):
    return OneHot.prox(OneHot(), cross, 0.0)


def halves(self, gram, cross, V):
    return np.full_like(V, 0.5)


def remembers(self, V, step):
    object.__setattr__(self, "last", V.copy())
    return np.maximum(V, 0)


def as_it_lies(self, V, step):
    return np.maximum(V.ravel(order="K").reshape(V.shape), 0)


def one_too_many(self, V, step):
    return Sparse(self.n_nonzero + 1).prox(V, step)


def of_one(self, V, step):
    return Simplex(1.0).prox(V, step)


def fails_without_vectors(self, V, step):
    return np.maximum(V, V.min() * 0)


def wrong_far_out(self, V, step):
    return L1.prox(self, V, np.where(np.abs(V).max(axis=1, keepdims=True) > 50, 0.9, 1.0) * step)


def alone_is_zero(self, V, step):
    return np.zeros_like(V) if V.shape[1] == 1 else L1.prox(self, V, step)


def four_entries(self, V, step):
    kept = L1.prox(self, V, step)
    kept[:, 4:] = 0
    return kept


MUTANTS = {
    "wrong for large vectors": (mutant(L1, prox=wrong_far_out)(), "stops short|reaches|together differs"),
    "wrong for vectors of one entry": (mutant(L1, prox=alone_is_zero)(), "reaches|stops short"),
    "wrong for vectors of more than four entries": (mutant(L1, prox=four_entries)(), "reaches|stops short"),
    "ignores the step": (mutant(L1, prox=constant_threshold)(), "step 0 moves what is allowed"),
    "a threshold a little too high": (mutant(L1, prox=too_far)(), "stops short"),
    "penalty without the half": (mutant(Ridge, penalty=lambda s, V: (V**2).sum(axis=1))(), "reaches"),
    "penalty of all vectors": (mutant(Ridge, penalty=lambda s, V: (V**2).sum() / 2)(), "one number for each"),
    "penalty that none pays": (
        mutant(NonNegative, penalty=lambda s, V: V.sum(axis=1), shrinks=True)(),
        "reaches",
    ),
    "absolute values": (mutant(NonNegative, prox=lambda s, V, t: np.abs(V))(), "an allowed matrix"),
    "works in place": (mutant(NonNegative, prox=in_place)(), "changes V in place"),
    "gives V back": (mutant(Free, prox=lambda s, V, t: V)(), "return a copy"),
    "double precision": (mutant(Ridge, prox=lambda s, V, t: V / (1 + np.float64(t)))(), "keep the precision"),
    "never violated": (mutant(Box, violation=lambda s, V: 0.0)(), "violation is 0 for a matrix"),
    "violated on one side": (mutant(Box, violation=lambda s, V: float((V - 1).max(initial=0)))(), "violation is 0"),
    "a negative violation": (mutant(Box, violation=lambda s, V: float(V.max(initial=-9) - 1))(), "from 0 up"),
    "violated a little is fine": (
        mutant(NonNegative, violation=lambda s, V: max(0.0, float((-V).max(initial=0)) - 0.1))(),
        "violation is 0|an allowed matrix",
    ),
    "violated inside": (
        mutant(UnitNorm, violation=lambda s, V: float(np.abs(np.linalg.norm(V, axis=1) - 1).max(initial=0)))(),
        "violation is",
    ),
    "normalised, not projected": (mutant(Simplex, prox=shares_of_the_positive)(), "allowed"),
    "the mean of the steps": (mutant(Ridge, prox=mean_step)(), "differs from one by one"),
    "vectors that hang together": (
        mutant(Free, prox=less_the_mean, violation=lambda s, V: float(np.abs(V.mean(axis=0)).max(initial=0)),
               scope="vector")(),
        "differs from one by one|NaN",
    ),
    "no projection without a step": (mutant(NonNegative, prox=no_projection_without_a_step)(), "violation is"),
    "the first entries stay": (mutant(Sparse, prox=first_entries)(2), "an allowed matrix"),
    "the least entry becomes 1": (mutant(OneHot, prox=of_the_least)(), "moves what is allowed"),
    "Gram and Schmidt": (mutant(Orthonormal, prox=by_qr)(), "an allowed matrix"),
    "the sphere for the ball": (mutant(UnitNorm, prox=directions)(), "NaN|moves|an allowed matrix"),
    "the ends joined": (mutant(Smooth, prox=in_a_circle)(), "reaches|stops short"),
    "groups a little too small": (
        mutant(Group, prox=lambda s, V, t: Group(1.0001).prox(V, t))(),
        "stops short",
    ),
    "groups without their sizes": (mutant(Group, prox=without_the_size)(), "reaches|stops short"),
    "draws at random": (mutant(NonNegative, prox=with_chance)(), "differs between two calls"),
    "keeps data": (mutant(NonNegative, prox=remembers)(), "keeps something"),
    "takes the memory as it lies": (mutant(NonNegative, prox=as_it_lies)(), "columns that lie together"),
    "one entry too many": (mutant(Sparse, prox=one_too_many)(2), "violation is .* after prox"),
    "another total": (mutant(Simplex, prox=of_one)(2.0), "violation is 1 after prox"),
    "a length of 0": (mutant(UnitNorm, prox=directions, violation=UnitNorm(False).violation, convex=False)(), "NaN"),
    "fails without vectors": (mutant(NonNegative, prox=fails_without_vectors)(), "raises ValueError"),
    "entry without its ridge": (
        mutant(Ridge, entry=property(lambda s: Entry()), prox=lambda s, V, t: Ridge().prox(V, t),
               penalty=lambda s, V: Ridge().penalty(V), shrinks=True)(),
        r"entry=\(0.0, 0.0, -inf, inf\) differs from prox",
    ),
    "entry of a vector": (mutant(Simplex, entry=Entry(low=0.0))(), "its scope is 'vector'"),
    "an unknown scope": (mutant(Free, scope="row")(), "scope is 'row'"),
    "entries that hang together": (mutant(Simplex, scope="entry")(), "prox of entries together differs"),
    "solved by the cross term": (mutant(OneHot, solve=nearest_cross_alone)(), "solve reaches"),
    "solved beyond what is allowed": (mutant(OneHot, solve=halves)(), "solve returns vectors that are not allowed"),
    "said to be symmetric": (mutant(NonNegative, symmetric=True)(), "symmetric is said"),
    "said to rotate": (mutant(L1, rotates=True)(), "rotates is said"),
    "vectors alone said to rotate": (mutant(UnitNorm, rotates=True)(), "rotates is said"),
    "said to be convex": (mutant(Sparse, convex=True)(), "convex is said|stops short"),
    "the sphere said to be convex": (mutant(UnitNorm, convex=True)(False), "convex is said|stops short"),
    "said to be bounded": (mutant(NonNegative, bounded=True)(), "bounded is said"),
    "bounds and does not say so": (mutant(Simplex, bounded=False)(), "bounded is False"),
    "said to shrink": (mutant(NonNegative, shrinks=True)(), "shrinks is said"),
    "shrinks and does not say so": (mutant(Smooth, shrinks=False)(), "shrinks is False"),
    "a claim that is none": (mutant(Free, convex="yes")(), "say True or False"),
    "no name": (mutant(Free, name="")(), "give it a name"),
}  # fmt: skip


@pytest.mark.parametrize("slip", MUTANTS)
def test_planted_mutants_are_caught(slip):
    constraint, words = MUTANTS[slip]
    with pytest.raises(AssertionError, match=words):
        check_constraint(constraint)


@dataclass(frozen=True)
class Called(NonNegative):
    """With a parameter that cannot be sent anywhere."""

    how: Any = None
    name: ClassVar[str] = "called"


def test_what_is_no_constraint_is_told_so():
    with pytest.raises(AssertionError, match="is a class"):
        check_constraint(Ridge)
    with pytest.raises(AssertionError, match="derive it from"):
        check_constraint("ridge")
    with pytest.raises(AssertionError, match="cannot be pickled"):
        check_constraint(Called(how=lambda: 0))
    assert issubclass(Called, Constraint)


def test_a_penalty_that_leaves_constants_free_does_not_hold():
    class Says(Smooth):
        holds = True

    with pytest.raises(AssertionError, match="holds is said, but a large constant pays no more"):
        check_constraint(Says(0.9))
