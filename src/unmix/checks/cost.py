"""Whether everything fast that a cost offers agrees with its definition."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.checks.critical_temperature import check_critical_temperatures, check_first_temperature
from unmix.checks.evidence import TOLERANCE, Examined, HoldsParameters, Unchanged, require, require_close
from unmix.checks.prototypes import check_prototypes, check_transitions
from unmix.costs.base import Cost, HasFields, HasMoves, HasPrototypes, HasTransitions, HasVectors, n_objects

MOST_LABELLINGS = 10_000  # of which a mean is taken exactly
DRAWS = 4_000  # labellings, where there are more
N_STANDARD_ERRORS = 6.0  # standard errors


class Problem(NamedTuple):
    """What a promise is checked on."""

    cost: Any
    data: Any
    k: int
    rng: np.random.Generator
    scale: float  # the size of totals, relative to which rounding is judged

    @property
    def name(self) -> str:
        return type(self.cost).__name__

    @property
    def n(self) -> int:
        return n_objects(self.data)

    def labels(self) -> np.ndarray:
        return self.rng.integers(0, self.k, self.n)

    def shares(self) -> np.ndarray:
        return self.rng.dirichlet(np.full(self.k, 0.7), self.n)


def check_cost(cost: Any, data: Any, n_clusters: int = 3, random_state: int = 0, prototypes: Any = None) -> list[str]:
    """Compare all that a cost offers with its `total` on the given data.

    - `total`: a finite number for any labels (empty clusters and clusters of one object too), the same for equal labels
      and, unless the cost says ``named_clusters = True``, for labels under other names;
    - moves: differences of `total`, for labels and, where there are fields, for shares; running sums are those made
      anew after any shifts;
    - fields and `expected`: differences of `expected`, `total` at labels; `mean` and `mean_is_bound` by enumeration;
    - prototypes: statistics add over rows and are linear in q, distances to the prototypes they lead to add up to
      `total`, for rows that are repeated too, and a cluster without rows keeps its prototype;
    - `vectors`: minus half the squared lengths of their sums are `total`; copies of prototypes lie where asked;
    - nothing that is given is changed, and nothing of it is kept.

    Parameters
    ----------
    cost : Cost
        With `total`, and with any of the capabilities of `unmix.costs.base`.
    data : what the cost takes
        Small: every check evaluates `total` some hundred times.
    n_clusters : int, default=3
    random_state : int, default=0
    prototypes : what the cost takes for prototypes, optional
        Any, for a cost whose statistics are taken about those it had before.

    Returns
    -------
    list of str
        What was checked. A promise that is not kept raises an AssertionError that says which.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.checks import check_cost
    >>> from unmix.costs.least_angle import LeastAngle
    >>> check_cost(LeastAngle(), np.random.default_rng(0).normal(size=(8, 2)))
    ['total', 'moves', 'fields', 'expected', 'mean', 'vectors']
    """
    require(not isinstance(cost, type), f"{getattr(cost, '__name__', cost)} is a class; give a cost, made with ()")
    name = type(cost).__name__
    require(isinstance(cost, Cost), f"{name} has no method total(data, labels)")
    _check_whole_abilities(cost)
    require(n_clusters >= 1 and n_objects(data) >= n_clusters, "give data of at least n_clusters objects")
    rng = np.random.default_rng(random_state)
    with HoldsParameters(cost):
        with Examined(f"{name}.total"):
            problem = _check_total(cost, data, n_clusters, rng)
        if isinstance(cost, HasPrototypes):  # first, for others may build on them
            with Examined(f"{name} (prototypes)"), Unchanged(f"{name} (prototypes)", data=data):
                found = check_prototypes(cost, data, n_clusters, rng, prototypes, problem.scale)
                if isinstance(cost, HasTransitions):
                    check_transitions(cost, found, rng)
                check_first_temperature(cost, data)
                check_critical_temperatures(cost, data, n_clusters, rng)
        done = ["total"]
        for kind, words, check in CHECKS:
            if isinstance(cost, kind):
                with Examined(f"{name} ({words})"), Unchanged(f"{name} ({words})", data=data):
                    if check(problem) is not False:
                        done.append(words)
    return [*done, "prototypes"] if isinstance(cost, HasPrototypes) else done


def _check_whole_abilities(cost: Any) -> None:
    """An ability of which a part is missing, or misspelt, would be passed over in silence by every step."""
    for kind, sign in ((HasPrototypes, "statistics"), (HasFields, "fields"), (HasTransitions, "separation")):
        needed = [name for name in vars(kind) if not name.startswith("_")]
        given = [name for name in needed if callable(getattr(cost, name, None))]
        lost = sorted(set(needed) - set(given))
        require(
            sign not in given or not lost,
            f"{type(cost).__name__} has {' and '.join(given)} but no {' and '.join(lost)}: {kind.__name__} takes all",
        )


def _check_total(cost: Any, data: Any, k: int, rng: np.random.Generator) -> Problem:
    """Finite, a number, repeatable, blind to names; returns what the other checks are made on."""
    n, name = n_objects(data), type(cost).__name__
    few = rng.integers(0, max(k - 1, 1), n)  # the last cluster is empty
    spread = np.concatenate([np.arange(k), np.full(n - k, k - 1)])  # all others hold one object
    seen = []
    for labels in (rng.integers(0, k, n), few, k - 1 - few, spread, np.zeros(n, np.int64), rng.integers(0, k, n)):
        with Unchanged(f"{name}.total", data=data, labels=labels):
            value = cost.total(data, labels)
        require(np.ndim(value) == 0, f"{name}.total returns an array of shape {np.shape(value)}, expected one number")
        require(np.isfinite(value), f"{name}.total is {value} for labels {labels.tolist()}")
        again = cost.total(data, labels.copy())
        require(value == again, f"{name}.total differs between two equal calls: {value!r} and {again!r}")
        seen.append(abs(float(value)))
    problem = Problem(cost, data, k, rng, max(seen) or 1.0)
    if not getattr(cost, "named_clusters", False):
        _check_names(problem, few)
    return problem


def _check_names(problem: Problem, few: np.ndarray) -> None:
    for labels in (problem.labels(), few, problem.labels()):
        names = problem.rng.permutation(problem.k)
        require_close(
            problem.cost.total(problem.data, names[labels]),
            problem.cost.total(problem.data, labels),
            f"{problem.name}.total changes when clusters are renamed; look for labels used as numbers, or set "
            "named_clusters = True if its clusters do differ by name",
            problem.scale,
        )


def totals(cost: Any, data: Any, labels: np.ndarray, i: int, k: int) -> np.ndarray:
    """The cost with object i in each cluster."""
    return np.array([cost.total(data, np.where(np.arange(len(labels)) == i, c, labels)) for c in range(k)])


def _check_moves(problem: Problem) -> None:
    _check_moves_among(problem)
    more = min(2 * problem.k + 1, problem.n)
    if not getattr(problem.cost, "named_clusters", False) and more > problem.k:
        _check_moves_among(problem._replace(k=more))  # kernels must not know how many clusters there are


def _check_moves_among(problem: Problem) -> None:
    from unmix.costs.moves import shift

    cost, data, k, rng, _ = problem
    labels = rng.integers(0, max(k - 1, 1), problem.n)  # the last cluster is empty
    state = _state(problem, np.eye(k)[labels])
    for i in rng.integers(0, problem.n, 20):
        true, out = totals(cost, data, labels, i, k), _moves(problem, state, i, np.eye(k)[labels[i]])
        words = f"{problem.name}: move_costs are not differences of total (object {i}, now in {labels[i]})"
        require_close(out - out[labels[i]], true - true[labels[i]], words, problem.scale)
        new = int(rng.integers(k))
        shift(state, i, labels[i], -1.0)
        shift(state, i, new, 1.0)
        labels[i] = new
    _check_sums(problem, state, np.eye(k)[labels])
    _check_states_apart(problem)
    _check_moves_of_shares(problem)


def _check_states_apart(problem: Problem) -> None:
    """A move in one state leaves another as it is: chains go on side by side."""
    from unmix.costs.moves import shift

    one, other = (_state(problem, problem.shares()) for _ in range(2))
    with Unchanged(f"{problem.name}: a move in one state", another=other):
        shift(one, 0, 0, 1.0)


def _check_moves_of_shares(problem: Problem) -> None:
    """A sequential mean field shifts fractions of objects."""
    from unmix.costs.moves import shift

    q = problem.shares()
    state = _state(problem, q)
    for i in problem.rng.integers(0, problem.n, 10):
        new = problem.rng.dirichlet(np.ones(problem.k))
        for c in range(problem.k):
            shift(state, i, c, new[c] - q[i, c])
        q[i] = new
    _check_sums(problem, state, q)


def _state(problem: Problem, q: np.ndarray) -> Any:
    with Unchanged(f"{problem.name}.state", q=q):
        return problem.cost.state(problem.data, q.copy())


def _moves(problem: Problem, state: Any, i: int, share: np.ndarray) -> np.ndarray:
    from unmix.costs.moves import move_costs

    out = np.full(problem.k, np.nan)
    with Unchanged(f"move_costs of {problem.name}", state=state, share=share):
        move_costs(state, i, share, out)
    require(np.isfinite(out).all(), f"{problem.name}: move_costs are {out.tolist()} for object {i}")
    return out


def _check_sums(problem: Problem, state: Any, q: np.ndarray) -> None:
    anew = problem.cost.state(problem.data, q)
    for field, part, true in zip(state._fields, state, anew, strict=True):
        if np.size(true):
            words = f"{problem.name}: after shifts the running sum {field!r} is not that of state(data, q)"
            require_close(part, true, words, 1.0)


def _check_fields(problem: Problem) -> None:
    cost, data, k = problem.cost, problem.data, problem.k
    few = np.eye(k)[problem.rng.integers(0, max(k - 1, 1), problem.n)]  # the last cluster is empty
    for labels in (problem.labels(), few.argmax(axis=1)):
        h = _fields(problem, np.eye(k)[labels])
        for i in problem.rng.integers(0, problem.n, 10):
            true = totals(cost, data, labels, i, k)
            words = f"{problem.name}: fields at hard labels are not differences of total (object {i})"
            require_close(h[i] - h[i, 0], true - true[0], words, problem.scale)
    q = problem.shares()
    h = _fields(problem, q)
    for i in range(problem.n):
        given = [cost.expected(data, np.where(np.arange(problem.n)[:, None] == i, e, q)) for e in np.eye(k)]
        words = f"{problem.name}: fields at shares are not differences of expected (object {i})"
        require_close(h[i] - h[i, 0], np.array(given) - given[0], words, problem.scale)
    if isinstance(cost, HasMoves):
        _check_moves_are_fields(problem, q, h)


def _check_moves_are_fields(problem: Problem, q: np.ndarray, h: np.ndarray) -> None:
    """A sequential mean field prices moves in the company of shares."""
    state = _state(problem, q)
    for i in range(problem.n):
        out = _moves(problem, state, i, q[i])
        words = f"{problem.name}: move_costs and fields differ at shares (object {i})"
        require_close(out - out[0], h[i] - h[i, 0], words, problem.scale)


def _fields(problem: Problem, q: np.ndarray) -> np.ndarray:
    with Unchanged(f"{problem.name}.fields", q=q):
        h = np.asarray(problem.cost.fields(problem.data, q))
    require(h.shape == q.shape, f"{problem.name}.fields has shape {h.shape}, expected {q.shape}")
    require(np.isfinite(h).all(), f"{problem.name}.fields holds NaN or infinity")
    return h


def _check_expected(problem: Problem) -> None:
    for _ in range(5):
        labels = problem.labels()
        q = np.eye(problem.k)[labels]
        with Unchanged(f"{problem.name}.expected", q=q):
            found = problem.cost.expected(problem.data, q)
        true = problem.cost.total(problem.data, labels)
        require_close(found, true, f"{problem.name}: expected at hard labels is not total", problem.scale)


def _check_mean(problem: Problem) -> bool:
    """What claims to be the mean under independent labels, or never below it; False where nothing is claimed."""
    cost, data = problem.cost, problem.data
    bound, exact = getattr(cost, "mean_is_bound", False), hasattr(cost, "mean")
    if not (bound or exact):
        return False
    known = _totals_of_all(problem)
    for _ in range(5):
        q = problem.shares()
        true, error = _mean_cost(problem, q, known)
        below, slack = true - cost.expected(data, q), N_STANDARD_ERRORS * error + 1e-9 * problem.scale
        words = f"{problem.name}: expected is {below:.3g} below the mean, and mean_is_bound denies it"
        require(not bound or below <= slack, words)
        if exact and not np.isnan(cost.mean(data, q)):
            away = abs(cost.mean(data, q) - true)
            words = f"{problem.name}: mean is not that of independent labels: they differ by {away:.3g}"
            require(away <= N_STANDARD_ERRORS * error + TOLERANCE * problem.scale, words)
    return True


def _totals_of_all(problem: Problem) -> Any:
    from unmix.inference.enumerate import enumerate_labellings

    if problem.k**problem.n > MOST_LABELLINGS:
        return None
    return enumerate_labellings(problem.cost, problem.data, problem.k, 1.0)


def _mean_cost(problem: Problem, q: np.ndarray, every: Any) -> tuple[float, float]:
    """The mean cost of independent labels and its standard error: by enumeration, or over many draws."""
    if every is not None:
        p = np.prod([q[i][every.labellings[:, i]] for i in range(problem.n)], axis=0)
        return float(p @ every.costs), 0.0
    edges, draws = q.cumsum(axis=1), problem.rng.random((DRAWS, problem.n))
    labels = np.minimum((draws[:, :, None] > edges).sum(axis=2), problem.k - 1)
    costs = np.array([problem.cost.total(problem.data, row) for row in labels])
    return float(costs.mean()), float(costs.std() / np.sqrt(DRAWS))


def _check_vectors(problem: Problem) -> None:
    v = np.asarray(problem.cost.vectors(problem.data))
    for _ in range(5):
        labels = problem.labels()
        true = problem.cost.total(problem.data, labels)
        sums = np.eye(problem.k)[labels].T @ v
        words = f"{problem.name}: minus half the squared sums of vectors are not total"
        require_close(-0.5 * float((sums**2).sum()), true, words, problem.scale)


CHECKS: tuple[tuple[Any, str, Any], ...] = (
    (HasMoves, "moves", _check_moves),
    (HasFields, "fields", _check_fields),
    (HasFields, "expected", _check_expected),
    (HasFields, "mean", _check_mean),
    (HasVectors, "vectors", _check_vectors),
)
