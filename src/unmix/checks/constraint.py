"""Whether a constraint on a factor is what it says: nearest allowed points, penalties, and its claims about itself."""

from __future__ import annotations

import pickle
from copy import deepcopy
from itertools import pairwise
from typing import Any

import numpy as np

from unmix.checks.better_points import allowed, candidates, lowered, minimised, value
from unmix.checks.claims import check_claims
from unmix.checks.evidence import Examined, HoldsParameters, Unchanged, require, require_close
from unmix.checks.factor import MET, SIZES, SLACK, STEPS, Part
from unmix.constraints.base import Constraint, Entry

STARTS = 40  # allowed points that an exact solution is compared with
SCOPES = ("entry", "vector", "matrix")


def check_constraint(constraint: Any, shape: tuple[int, int] = (5, 4), random_state: int = 0) -> list[str]:
    """Search for allowed matrices that beat its proximal map, and put every claim of a constraint to the test.

    - `prox` keeps shape and precision, changes nothing, meets the constraint to 1e-10 (1e-6 in single precision), and
      no allowed point that is found is nearer when the penalty is paid, for vectors of one and of more entries too;
      with the step 0 allowed points stay.
    - `penalty` is the one that `prox` pays: the least value has the slope V - prox(V).
    - `violation` is 0 for allowed matrices and for no others.
    - `scope`: vectors or entries that do not hang together come out as if they were alone, each with its step.
    - `symmetric`, `rotates`, `convex`, `bounded` and `shrinks` hold; `entry` says the same as `prox`; `solve` is at
      least as good as proximal steps.

    Parameters
    ----------
    constraint : Constraint
    shape : (int, int), default=(5, 4)
        Of the matrices it is tried on.
    random_state : int, default=0

    Returns
    -------
    list of str
        What was checked. A promise that is not kept raises an AssertionError that says which.

    Examples
    --------
    >>> from unmix.checks import check_constraint
    >>> from unmix.constraints import Simplex
    >>> check_constraint(Simplex())
    ['protocol', 'prox', 'allowed', 'nearest', 'penalty', 'scope', 'claims']
    """
    _check_protocol(constraint)
    rng = np.random.default_rng(random_state)
    part, done = Part(constraint, 1.5 * rng.normal(size=shape), random_state + 1), ["protocol"]
    with Examined(part.name), HoldsParameters(constraint):
        for words, check in CHECKS.items():
            if check(part) is not False:
                done.append(words)
    return done


def _check_protocol(constraint: Any) -> None:
    name = type(constraint).__name__
    require(not isinstance(constraint, type), f"{constraint!r} is a class; give an instance of it")
    require(isinstance(constraint, Constraint), f"{name} is no Constraint; derive it from unmix.constraints.Constraint")
    given = getattr(constraint, "name", None)
    require(isinstance(given, str) and given, f"{name}.name is {given!r}; give it a name")
    require(constraint.scope in SCOPES, f"{name}.scope is {constraint.scope!r}, expected one of {SCOPES}")
    for claim in ("convex", "symmetric", "rotates", "bounded", "shrinks"):
        said = getattr(constraint, claim)
        require(isinstance(said, bool), f"{name}.{claim} is {said!r}; say True or False")
    try:
        pickle.dumps(getattr(constraint, "__dict__", {}))
    except Exception as error:
        raise AssertionError(f"parameters of {name} cannot be pickled, so no worker can have it: {error}") from error


def _check_prox(part: Part) -> None:
    """Twice the same, by a copy too, in both precisions, all sizes and both orders of memory."""
    turned = part.prox(np.asfortranarray(part.V), 0.5)
    require_close(turned, part.prox(part.V, 0.5), f"{part.name}.prox differs for columns that lie together", 1.0)
    copy = deepcopy(part.constraint)
    for step in STEPS:
        first = part.prox(part.V, step)
        for other in (part.constraint, copy):
            require(np.array_equal(other.prox(part.V, step), first), f"{part.name}.prox differs between two calls")
        single = part.V.astype(np.float32)
        words = f"{part.name}.prox in single precision"
        difference = np.abs(part.prox(single, step) - part.prox(single.astype(np.float64), step)).max(initial=0.0)
        require(difference <= 1e-5 * max(1.0, np.abs(first).max(initial=0.0)), f"{words} is off by {difference:.3g}")
    for size in SIZES:
        part.prox(size * part.V, 0.5)
    if part.constraint.scope != "matrix":
        part.prox(part.V[:0], 0.5)
        part.prox(part.V[:1], np.ones((1, 1)))


def _check_allowed(part: Part) -> None:
    for dtype, limit in MET.items():
        for V in (matrix.astype(dtype) for matrix in part.matrices()):
            for step in STEPS:
                W = part.prox(V, step)
                size, left = max(1.0, float(np.abs(W).max(initial=0.0))), part.violation(W)
                words = f"{part.name}.violation is {left:.3g} after prox in {np.dtype(dtype)}, expected 0"
                require(left <= limit * size, words)
    for V in part.matrices():
        W = part.prox(V, 0.0)
        require_close(part.prox(W, 0.0), W, f"{part.name}.prox with the step 0 moves what is allowed", 1.0)
        moved = float(np.abs(V - W).max(initial=0.0))
        if moved > SLACK:
            words = f"{part.name}.violation is 0 for a matrix that prox with the step 0 moves by {moved:.3g}"
            require(part.violation(V) > MET[np.float64], words)
        elif moved == 0:
            words = f"{part.name}.violation is not 0 for a matrix that prox with the step 0 leaves as it is"
            require(part.violation(V) <= MET[np.float64], words)


def _check_nearest(part: Part) -> None:
    for shaped in (part, *part.of_other_shapes()):
        _check_nearest_of_shape(shaped)


def _check_nearest_of_shape(part: Part) -> None:
    constraint, rng = part.constraint, part.rng
    for V in part.matrices():
        for step in STEPS:
            W = part.prox(V, step)
            least = value(constraint, W, V, step)
            others = [*candidates(constraint, V, step, rng), lowered(constraint, V, step, rng)]
            if V is part.V:
                others.append(minimised(constraint, V, step, rng))
            best = min(value(constraint, other, V, step) for other in others)
            words = f"{part.name}.prox with the step {step} reaches {least:.9g}, an allowed matrix {best:.9g}"
            require(best >= least - SLACK * (1 + abs(least)), words)
            if constraint.convex:
                _check_slopes(part, V, step, W, others)


def _check_slopes(part: Part, V: np.ndarray, step: float, W: np.ndarray, others: list[np.ndarray]) -> None:
    """(V - W)·(Y - W) ≤ t (penalty(Y) - penalty(W)) for all allowed Y: first order, so small errors show."""
    paid = part.penalty(W).sum()
    for other in others:
        ahead = float(((V - W) * (other - W)).sum() - step * (part.penalty(other).sum() - paid))
        scale = 1 + float(np.linalg.norm(V - W) * np.linalg.norm(other - W))
        words = f"{part.name}.prox with the step {step} stops short: the way to an allowed matrix still leads down"
        require(ahead <= SLACK * scale, words)


def _check_penalty(part: Part) -> None:
    """The least value, a function of V, has the slope V - prox(V); and a larger step never pays more."""
    for V in part.matrices():
        paid = [part.penalty(part.prox(V, step)).sum() for step in STEPS]
        words = f"{part.name}.prox pays more with a larger step: {paid}"
        require(all(b <= a + SLACK * (1 + abs(a)) for a, b in pairwise(paid)), words)
    ahead, small, step = part.rng.normal(size=part.V.shape), 1e-5, 0.7
    sides = [part.V + sign * small * ahead for sign in (1, -1)]
    above, below = (value(part.constraint, part.prox(side, step), side, step) for side in sides)
    slope, true = (above - below) / (2 * small), float(((part.V - part.prox(part.V, step)) * ahead).sum())
    words = f"{part.name}: penalty is not what prox pays: the least value has the slope {slope:.6g}, not {true:.6g}"
    require(abs(slope - true) <= 1e-4 * (1 + abs(true)), words)


def _check_scope(part: Part) -> None:
    V, scope = part.V, part.constraint.scope
    if scope == "matrix":
        words = f"{part.name}.prox with equal steps for all vectors differs from one step"
        require_close(part.prox(V, np.full((len(V), 1), 0.7)), part.prox(V, 0.7), words, 1.0)
        return
    steps = part.rng.uniform(0, 2, size=(len(V), 1))
    alone = [part.prox(V[i : i + 1], float(steps[i, 0]))[0] for i in range(len(V))]
    words = f"{part.name}.scope is {scope!r}, but prox of vectors together, a step each, differs from one by one"
    require_close(part.prox(V, steps), np.array(alone), words, 1.0)
    paid = [part.penalty(V[i : i + 1])[0] for i in range(len(V))]
    require_close(part.penalty(V), np.array(paid), f"{part.name}.penalty of vectors together differs from one by one")
    if scope == "entry":
        words = f"{part.name}.scope is 'entry', but prox of entries together differs from one by one"
        require_close(part.prox(V.reshape(-1, 1), 0.7).reshape(V.shape), part.prox(V, 0.7), words, 1.0)


def _check_entry(part: Part) -> bool:
    """prox, penalty and violation are those of the four numbers."""
    entry = part.constraint.entry
    if entry is None:
        return False
    require(isinstance(entry, Entry), f"{part.name}.entry is a {type(entry).__name__}, expected an Entry")
    require(part.constraint.scope == "entry", f"{part.name} has an entry, but its scope is {part.constraint.scope!r}")
    l1, l2, low, high = entry
    for V in part.matrices():
        for step in STEPS:
            soft = np.sign(V) * np.maximum(np.abs(V) - step * l1, 0)
            true = np.clip(soft / (1 + step * l2), low, high)
            require_close(part.prox(V, step), true, f"{part.name}.entry={tuple(entry)} differs from prox", 1.0)
        W = part.prox(V, 0.0)
        paid = (l1 * np.abs(W) + l2 / 2 * W**2).sum(axis=1)
        require_close(part.penalty(W), paid, f"{part.name}.entry={tuple(entry)} differs from penalty", 1.0)
    return True


def _check_solve(part: Part) -> bool:
    """As good as many allowed points and proximal steps from some, with one G for all vectors and with one each."""
    (m, k), rng, found = part.V.shape, part.rng, False
    for count in (1, m):
        A = rng.normal(size=(count, k, k))
        gram, cross = A @ A.transpose(0, 2, 1) + 0.1 * np.eye(k), rng.normal(size=(m, k))
        with Unchanged(f"{part.name}.solve", gram=gram, cross=cross, V=part.V):
            W = part.constraint.solve(gram, cross, part.V)
        if W is not None:
            found = True
            _check_solution(part, gram, cross, np.asarray(W))
    return found


def _check_solution(part: Part, gram: np.ndarray, cross: np.ndarray, W: np.ndarray) -> None:
    require(W.shape == cross.shape, f"{part.name}.solve returns shape {W.shape}, expected {cross.shape}")
    require(np.isfinite(W).all(), f"{part.name}.solve returns NaN or infinity")
    require(allowed(part.constraint, W), f"{part.name}.solve returns vectors that are not allowed")
    tried = [part.prox(V, 0.0) for V in part.rng.normal(size=(STARTS, *W.shape))]
    tried += [_descended(part, gram, cross, V) for V in (*part.points(), *tried[:4])]
    best = np.min([_quadratic(part, gram, cross, V) for V in tried], axis=0)
    reached = _quadratic(part, gram, cross, W)
    worst = int(np.argmax(reached - best))
    words = f"{part.name}.solve reaches {reached[worst]:.9g}, an allowed point {best[worst]:.9g}"
    require((reached <= best + SLACK * (1 + np.abs(best))).all(), words)


def _quadratic(part: Part, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
    """½ v·G v - c·v + penalty(v) of every vector, or of all together where these are not free of each other."""
    image = np.matmul(gram, V[:, :, None])[:, :, 0]
    values = ((image / 2 - cross) * V).sum(axis=1) + part.penalty(V)
    return values.sum(keepdims=True) if part.constraint.scope == "matrix" else values


def _descended(part: Part, gram: np.ndarray, cross: np.ndarray, V: np.ndarray) -> np.ndarray:
    curvature = float(np.linalg.eigvalsh(gram).max())
    for _ in range(100):
        slope = np.matmul(gram, V[:, :, None])[:, :, 0] - cross
        V = part.constraint.prox(V - slope / curvature, 1 / curvature)
    return V


CHECKS: dict[str, Any] = {
    "prox": _check_prox,
    "allowed": _check_allowed,
    "nearest": _check_nearest,
    "penalty": _check_penalty,
    "scope": _check_scope,
    "claims": check_claims,
    "entry": _check_entry,
    "solve": _check_solve,
}
