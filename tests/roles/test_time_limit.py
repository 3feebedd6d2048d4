"""A time limit holds in every stage: by a clock that only the work itself moves, so nothing here measures time."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.roles import mine
from unmix.roles.access.bits import Bits
from unmix.roles.cover import economy_kernel, program, rectangle, rectangle_kernel
from unmix.roles.cover import exact_assignment as assign
from unmix.roles.description import choice
from unmix.roles.description.code_length import Rates
from unmix.roles.deviations import search as noise
from unmix.roles.limits import constrained, economy_repair
from unmix.roles.limits import economy as limited_economy
from unmix.roles.limits import mine as mine_constrained
from unmix.roles.limits.constrained import Model
from unmix.roles.problem import budget
from unmix.roles.problem.budget import Budget

LIMIT = 100.0


class Clock:
    """Says what time it is, and is moved on by the calls of one function."""

    def __init__(self):
        self.now, self.calls = 0.0, 0

    def monotonic(self):
        return self.now

    def moved_by(self, function, step):
        def slow(*given, **named):
            self.now += step
            self.calls += 1
            return function(*given, **named)

        return slow


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(budget, "time", clock)
    return clock


def table(n=60, m=24, density=0.35, seed=0):
    return np.random.default_rng(seed).random((n, m)) < density


WSC = {"objective": "wsc", "max_roles_per_user": 3}
NEVER = {"objective": "wsc", "weights": (1, 1, 1, 1, np.inf), "min_users": 2}
STAGES = {
    "repair": (economy_repair, "inherit", 20.0, table(), WSC),
    "roles of users": (economy_repair, "covers", 20.0, table(), NEVER),
    "roles that go": (economy_kernel, "try_drop", 5.0, table(), {"objective": "wsc"}),
    "roles that come": (economy_kernel, "greedy", 20.0, table(), {"objective": "edges"}),
    "estimates": (economy_kernel, "estimates", 20.0, table(), {"objective": "wsc"}),
    "refits": (noise.Fit, "refit", 5.0, table(), {"problem": "fewest", "delta": 0.05}),
    "dropped roles": (noise, "drop_least", 20.0, table(), {"problem": "fewest", "n_roles": 3}),
    "refits in limits": (noise.Fit, "refit", 5.0, table(), {"problem": "fewest", "delta": 5, "max_roles_per_user": 2}),
    "users in limits": (mine_constrained, "limited", 20.0, table(), {"min_users": 4, "min_permissions": 2}),
    "a programme's rows": (Model, "row", 1.0, table(30, 6), {"max_roles_per_user": 2}),
    "rows of complexity": (Model, "row", 1.0, table(30, 6), WSC),
    "sets users hold": (limited_economy, "combinations", 1.0, table(60, 9), {**WSC, "min_users": 2}),
}


def only_this(stage, monkeypatch):
    """The solver does not know this clock: no programme is solved, and those to be built are looked at often."""
    monkeypatch.setattr(constrained, "ROWS_PER_TIME_CHECK", 8)
    if "row" not in stage:
        monkeypatch.setattr(mine_constrained, "MOST_VARIABLES", 0)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("stage", STAGES)
def test_no_stage_goes_far_beyond_the_limit(stage, clock, monkeypatch):
    place, name, step, matrix, asked = STAGES[stage]
    only_this(stage, monkeypatch)
    monkeypatch.setattr(place, name, clock.moved_by(getattr(place, name), step))
    found = mine(matrix, time_limit=LIMIT, **asked)
    assert clock.now > 0.5 * LIMIT or stage == "users in limits"
    assert clock.now <= 1.5 * LIMIT + 3 * step
    assert found.verify()
    assert not found.proven and found.certificate != "minimal"
    assert max(map(len, found.assignments.values())) <= asked.get("max_roles_per_user", 99)
    users = np.bincount(found.user_roles.indices, minlength=len(found.names))
    assert (users >= asked.get("min_users", 1)).all() or asked.get("min_users", 1) == 1


@pytest.mark.parametrize("stage", STAGES)
def test_without_a_limit_the_answer_does_not_depend_on_the_clock(stage, clock, monkeypatch):
    place, name, step, matrix, asked = STAGES[stage]
    only_this(stage, monkeypatch)
    matrix = matrix[:6, :4] if "row" in stage or "sets" in stage else matrix[:12]
    plain = mine(matrix, **asked)
    monkeypatch.setattr(place, name, clock.moved_by(getattr(place, name), step))
    again = mine(matrix, **asked)
    assert (plain.roles, plain.assignments, plain.certificate) == (again.roles, again.assignments, again.certificate)


def test_users_left_when_time_is_over_get_what_they_have(clock, monkeypatch):
    matrix = table(300, 20)
    rows, roles = Bits.of(matrix), Bits.of(np.eye(20, dtype=bool))
    monkeypatch.setattr(economy_kernel, "express", clock.moved_by(economy_kernel.express, 1.0))
    found = assign.assign_exactly(rows, roles, Budget(LIMIT))
    assert LIMIT <= clock.now <= LIMIT + assign.USERS_PER_TIME_CHECK
    assert (found.toarray() == matrix).all()


def test_rectangles_are_listed_in_pieces_and_in_time(clock, monkeypatch):
    matrix = table(12, 9, 0.6)
    whole = rectangle.maximal_rectangles(matrix)
    monkeypatch.setattr(rectangle, "WORK", 1)
    kernel = clock.moved_by(rectangle_kernel.enumerate_rectangles, 1.0)
    monkeypatch.setattr(rectangle_kernel, "enumerate_rectangles", kernel)
    pieces = rectangle.maximal_rectangles(matrix)
    assert clock.calls > 50
    assert all((a.words == b.words).all() for a, b in zip(whole, pieces))
    count = 1 + whole[0].shape[0]  # with the one of all users, which holds nothing
    assert rectangle.maximal_rectangles(matrix, count) is not None
    assert rectangle.maximal_rectangles(matrix, count - 2) is None
    before = clock.now
    assert rectangle.maximal_rectangles(matrix, budget=Budget(5.0)) is None
    assert clock.now == before + 5.0


def test_a_programme_for_which_no_time_is_left_is_not_prepared(clock, monkeypatch):
    monkeypatch.setattr(program, "useful", clock.moved_by(program.useful, 50.0))
    budget, holds = Budget(LIMIT), table(20, 10)
    assert program.set_cover(holds, budget).x is not None and clock.calls == 1
    clock.now += LIMIT
    assert program.set_cover(holds, budget).x is None and clock.calls == 1


def test_an_unproven_choice_is_never_worse_than_own_sets(clock, monkeypatch):
    """With no time for anything, what everybody holds is still an answer without single grants."""
    matrix = table(40, 12, 0.5)
    monkeypatch.setattr(Model, "row", clock.moved_by(Model.row, 5.0))
    monkeypatch.setattr(constrained, "ROWS_PER_TIME_CHECK", 8)
    found = mine(matrix, time_limit=LIMIT, max_roles_per_user=1)
    assert found.verify() and not found.direct.nnz
    assert len(found.roles) <= len(np.unique(matrix, axis=0))


@pytest.mark.slow_without_jit
def test_a_choice_with_time_for_few_candidates_chooses_among_these(clock, monkeypatch):
    """Two hundred candidates, the true ten last: the time is over before all were looked at once."""
    roles = np.kron(np.eye(10), np.ones(4))
    pool = np.vstack([np.kron(np.eye(20), np.ones(2))] * 9 + [roles] * 2)
    monkeypatch.setattr(choice, "CANDIDATES_PER_TIME_CHECK", 1)
    monkeypatch.setattr(choice.Uncovered, "gains", clock.moved_by(choice.Uncovered.gains, 1.0))
    X = csr_array(np.repeat(roles, 30, axis=0))
    chosen = choice.choose(X, csr_array(pool), Rates(0.05, 0.02), Budget(LIMIT))
    assert clock.now <= LIMIT
    assert sorted(map(tuple, chosen.toarray())) == sorted(map(tuple, roles))
