import numpy as np
import pytest

from tests.roles.brute_force import least_complexity
from unmix.roles import mine, read
from unmix.roles.problem.budget import Budget

MATRIX = np.random.default_rng(0).random((40, 20)) < 0.3


def planted(n, m, k, seed=0):
    rng = np.random.default_rng(seed)
    users, roles = rng.random((n, k)) < 0.2, rng.random((k, m)) < 0.2
    return users.astype(int) @ roles > 0


@pytest.mark.parametrize("options", [{}, {"objective": "edges"}, {"objective": "wsc"}], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_nobody_gains_or_loses_a_permission(options, seed):
    access = read(planted(50, 30, 6, seed))
    found = mine(access, **options)
    singles = {(grant.user, grant.permission) for grant in found.exceptions}
    for user in access.users:
        given = frozenset().union(*(found.roles[name] for name in found.assignments[user]))
        assert given | {p for u, p in singles if u == user} == access.permissions_of(user)
    assert found.verify()
    assert found.fits()
    assert all(grant.kind == "direct" for grant in found.exceptions)


def test_verify_sees_a_wrong_answer():
    found = mine(MATRIX)
    found.user_roles = found.user_roles[::-1]
    assert not found.verify()


def test_two_users_of_the_notes():
    found = mine({"first": [1, 2, 5], "second": [2, 3, 5]})
    assert len(found.roles) == 2
    assert found.certificate == "minimal"
    with_common = mine({"first": [1, 2, 5], "second": [2, 3, 5]}, keep={"common": {2, 5}})
    assert with_common.roles["common"] == {2, 5}
    assert len(with_common.roles) == 3


def test_hierarchy_is_containment_without_steps_between():
    sets = {"intern": ["mail"], "clerk": ["mail", "desk"], "head": ["mail", "desk", "safe"]}
    found = mine(sets, keep=sets)
    assert found.hierarchy == {"intern": set(), "clerk": {"intern"}, "head": {"clerk"}}


@pytest.mark.parametrize("seed", range(12))
def test_complexity_of_tiny_matrices(seed):
    matrix = np.repeat(np.random.default_rng(seed).random((3, 4)) < 0.6, [1, 3, 4], axis=0)
    weights = [(1, 1, 1, 1, 1), (1, 1, 1, 1, 3), (0, 1, 1, 2, 2)][seed % 3]
    found = mine(matrix, objective="wsc", weights=weights)
    least = least_complexity(matrix, weights)
    assert found.complexity(weights) == found.value
    assert found.lower_bound <= least <= found.value
    assert found.value <= least + 1  # a search, not a proof


@pytest.mark.slow_without_jit
def test_a_weight_of_infinity_forbids():
    found = mine(MATRIX, objective="wsc", weights=(1, 1, 1, 1, np.inf))
    assert not found.exceptions
    assert found.verify()
    flat = mine(MATRIX, objective="wsc", weights=(1, 1, 1, np.inf, np.inf))
    assert flat.inherits.nnz == 0
    assert flat.value == len(flat.roles) + flat.user_roles.nnz + flat.role_permissions.nnz


@pytest.mark.parametrize("objective", ["roles", "edges", "wsc"])
def test_kept_roles_are_there_with_their_names(objective):
    access = read(planted(30, 20, 5))
    keep = {"mine": access.permissions_of(0), "nobody's": set(access.permissions)}
    found = mine(access, objective=objective, keep=keep)
    assert {name: found.roles[name] for name in keep} == {name: frozenset(held) for name, held in keep.items()}
    assert found.verify()
    assert found.fits()


@pytest.mark.parametrize(
    "options", [{}, {"objective": "wsc"}, {"objective": "edges"}, {"problem": "fewest", "delta": 5}]
)
def test_no_time_gives_an_answer_that_holds(options):
    found = mine(MATRIX, time_limit=1e-6, **options)
    assert found.verify()
    assert found.lower_bound <= found.value


@pytest.mark.parametrize("where", ["reduce_entries", "iterate_first_fit", "set_cover", "distinct"])
def test_an_interrupt_gives_the_best_so_far(monkeypatch, where):
    from unmix.roles.cover import fewest_roles as cover

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(cover, where, interrupted)
    found = mine(~np.eye(8, dtype=bool))
    assert found.interrupted
    assert found.certificate.startswith("interrupted, not proven")
    assert found.verify()


@pytest.mark.parametrize("options", [{"problem": "fewest", "n_roles": 2}, {"objective": "wsc"}, {"min_users": 2}])
def test_an_interrupt_of_the_other_searches(monkeypatch, options):
    from unmix.roles.cover import economy
    from unmix.roles.deviations import mine as mine_fewest
    from unmix.roles.limits import mine as mine_constrained

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(mine_fewest, "least_noise", interrupted_once(mine_fewest.least_noise))
    monkeypatch.setattr(economy, "improve", interrupted)
    monkeypatch.setattr(mine_constrained, "exact_choice", interrupted)
    found = mine(MATRIX, **options)
    assert found.interrupted
    assert found.verify()
    assert not found.proven


def interrupted_once(real):
    calls = []

    def function(*positional, **named):
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return real(*positional, **named)

    return function


@pytest.mark.slow_without_jit
def test_the_answer_is_repeatable():
    first, second = mine(MATRIX, objective="wsc", random_state=3), mine(MATRIX, objective="wsc", random_state=3)
    assert first.roles == second.roles
    assert first.assignments == second.assignments


def test_users_and_permissions_without_any_grant():
    matrix = np.zeros((3, 4), bool)
    matrix[1, 2] = True
    for options in ({}, {"objective": "wsc"}, {"objective": "edges"}, {"problem": "fewest"}, {"min_users": 2}):
        found = mine(matrix, **options)
        assert found.verify()
        assert found.assignments[0] == frozenset()
    for options in ({}, {"objective": "wsc"}, {"objective": "edges"}, {"problem": "fewest"}, {"min_users": 2}):
        assert mine(np.zeros((2, 2)), **options).roles == {}


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"problem": "all"}, "problem is 'all'"),
        ({"objective": "cost"}, "objective is 'cost'"),
        ({"weights": (1, 1)}, "five numbers"),
        ({"weights": (1, 1, 1, 1, -1)}, "five numbers"),
        ({"min_users": 0}, "min_users is 0"),
        ({"max_roles_per_user": 1.5}, "max_roles_per_user is 1.5"),
        ({"time_limit": 0}, "time_limit is 0"),
        ({"problem": "fewest", "delta": -1}, "delta is -1"),
        ({"forbidden": [(0, "x")]}, "forbidden pair"),
        ({"forbidden": [(0, 0)]}, "same thing twice"),
        ({"keep": {"a": ["x"]}}, "no permission of the data"),
        ({"keep": {"a": []}}, "has no permissions"),
    ],
)
def test_bad_requests_are_refused_in_a_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        mine(MATRIX, **options)


def test_unknown_options_are_refused():
    with pytest.raises(TypeError, match="unknown option 'colour'"):
        mine(MATRIX, colour=3)


def test_a_budget_ends():
    assert not Budget(None).over
    assert Budget(1e-9).part(0.5).over
    whole = Budget(None)
    with whole.part(0.5):
        raise KeyboardInterrupt
    assert whole.over
