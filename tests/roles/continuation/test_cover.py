"""Mining that keeps existing roles, against all answers of tiny tables; ids, names and rejected roles."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from unmix.roles import Access, decide_role, mine, review, update


def rectangles(matrix):
    """Every set of permissions that all of some users have, by enumeration of the users."""
    n = len(matrix)
    found = {
        frozenset(np.flatnonzero(matrix[list(users)].all(axis=0)))
        for size in range(1, n + 1)
        for users in combinations(range(n), size)
    }
    return [held for held in found if held]


def cells(matrix, role):
    return {(u, p) for u in range(len(matrix)) if matrix[u, sorted(role)].all() for p in role}


def cheapest(matrix, existing, cost):
    """min |R| + c |K \\ R| by trying every part of K and every number of new roles."""
    grants, new = set(zip(*np.nonzero(matrix))), [cells(matrix, role) for role in rectangles(matrix)]
    best = np.inf
    for size in range(len(existing) + 1):
        for kept in combinations(existing, size):
            left = grants - set().union(*(cells(matrix, role) for role in kept))
            paid = size + cost * (len(existing) - size)
            more = next(
                k
                for k in range(len(grants) + 1)
                if paid + k >= best or any(left <= set().union(*some) for some in combinations(new, k))
            )
            best = min(best, paid + more)
    return best


def changed(rng, matrix, share=0.15):
    return matrix ^ (rng.random(matrix.shape) < share)


@pytest.mark.parametrize("cost", [0.0, 0.25, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_least_roles_and_changes_of_all(seed, cost):
    rng = np.random.default_rng(seed)
    before = rng.random((5, 5)) < 0.5
    first = mine(before)
    after = changed(rng, before)
    found = mine(after, keep=first, change_cost=cost)
    existing = [frozenset(held) for held in first.roles.values()]
    assert found.verify() and found.proven
    assert found.value == pytest.approx(cheapest(after, existing, cost))


@pytest.mark.parametrize("seed", range(3))
def test_the_bound_without_a_list_of_all_candidates_is_one(seed, monkeypatch):
    from unmix.roles.continuation import cover

    rng = np.random.default_rng(seed)
    before = rng.random((5, 5)) < 0.5
    first, after = mine(before), changed(rng, before)
    bounds, bound_of = [], cover.bound_of
    monkeypatch.setattr(cover, "MOST_NAMES", 0)
    monkeypatch.setattr(cover, "bound_of", lambda *given: bounds.append(bound_of(*given)) or bounds[-1])
    for cost in (0.25, 0.5, 1.0):
        found = mine(after, keep=first, change_cost=cost)
        best = cheapest(after, [frozenset(held) for held in first.roles.values()], cost)
        assert found.verify() and bounds[-1] <= best + 1e-9 and best <= found.value + 1e-9
        if cost == 1.0:
            assert found.proven  # the number of new roles is what a cover proves


def test_nothing_changes_where_nothing_changed():
    rng = np.random.default_rng(1)
    matrix = rng.random((30, 4)) < 0.4
    table = (matrix.astype(int) @ (rng.random((4, 12)) < 0.4)) > 0
    first = mine(table)
    again = mine(table, keep=first)
    assert again.roles == first.roles and again.assignments == first.assignments and again.retired == ()


BEFORE = [(u, p) for u in "abc" for p in ("mail", "crm", "wiki")] + [(u, p) for u in "def" for p in ("git", "ci")]


def test_a_changed_role_keeps_its_id_and_a_retired_number_is_not_used_again():
    first = mine(BEFORE)
    sales, code = (next(n for n, held in first.roles.items() if p in held) for p in ("crm", "git"))
    grown = [*BEFORE, *((u, "phone") for u in "abc")]
    second = mine(grown, keep=first)
    assert second.roles[sales] == {"mail", "crm", "wiki", "phone"} and second.roles[code] == {"git", "ci"}
    third = mine([pair for pair in grown if pair[0] in "abc"], keep=second)
    assert set(third.roles) == {sales} and third.retired == (code,)
    fourth = mine([*third.access.pairs(), ("g", "safe"), ("h", "safe")], keep=third)
    assert set(fourth.roles) == {sales, "R03"} and fourth.retired == (code,)


def test_accepted_roles_stay_and_rejected_ones_do_not_come_back():
    first = mine(BEFORE)
    sales, code = (next(n for n, held in first.roles.items() if p in held) for p in ("crm", "git"))
    made = decide_role(review(first), sales, "accepted", name="Sales", by="ann")
    made = decide_role(made, code, "rejected", by="ann")
    found = mine(BEFORE, decisions=made)
    assert found.roles[f"{sales} Sales"] == {"mail", "crm", "wiki"} and found.verify()
    assert frozenset({"git", "ci"}) not in found.roles.values()
    assert code not in {name.split()[0] for name in found.roles} and code in found.retired
    # An accepted role that nobody needs any more stays as long as somebody can hold it.
    needless = [*BEFORE, *((u, "x") for u in "abc")]
    assert f"{sales} Sales" in mine(needless, decisions=made).roles
    assert f"{sales} Sales" not in mine([("a", "mail")], decisions=made).roles


@pytest.mark.parametrize("options", [{"min_users": 2}, {"objective": "edges"}, {"problem": "fewest", "delta": 1}])
def test_limits_and_other_problems_keep_roles_and_ids(options):
    first = mine(BEFORE)
    again = mine([*BEFORE, ("g", "git"), ("g", "ci"), ("h", "vpn"), ("i", "vpn")], keep=first, **options)
    assert {name: held for name, held in again.roles.items() if name in first.roles} == first.roles
    assert set(again.roles) - set(first.roles) <= {"R03"}


def test_inferred_roles_keep_their_ids():
    rng = np.random.default_rng(0)
    table = np.kron(np.eye(3, dtype=bool), np.ones((20, 5), bool)) ^ (rng.random((60, 15)) < 0.01)
    first = mine(table, "infer", n_roles=3)
    shuffled = Access(range(60), range(15), table)
    again = mine(shuffled, "infer", n_roles=3, random_state=5, keep=first)
    assert again.roles == first.roles


def test_a_rejected_role_of_noisy_data_stays_away_and_nobody_loses_what_it_gave():
    rng = np.random.default_rng(0)
    table = np.kron(np.eye(3, dtype=bool), np.ones((20, 5), bool)) ^ (rng.random((60, 15)) < 0.02)
    first = mine(table, "infer", n_roles=3)
    made = decide_role(decide_role(review(first), "R02", "rejected"), "R01", "accepted", name="One")
    found = mine(table, "infer", n_roles=3, decisions=made)
    assert set(found.roles) == {"R01 One", "R03"} and found.verify()
    given = Counter(grant.kind for grant in found.exceptions)
    assert found.value == given["missing"] + given["extra"]
    assert given["missing"] <= sum(grant.kind == "missing" for grant in first.exceptions)


def test_an_existing_table_of_roles_is_kept_where_it_serves():
    found = mine(BEFORE, keep={"Sales": ["mail", "crm", "wiki"], "Old": ["fax"]}, change_cost=1)
    assert found.roles["Sales"] == {"mail", "crm", "wiki"} and "Old" not in found.roles and "Old" in found.retired


@pytest.mark.parametrize("seed", range(8))
def test_an_update_is_mining_with_what_exists(seed):
    rng = np.random.default_rng(seed)
    before = rng.random((8, 6)) < 0.5
    after = changed(rng, before, 0.1)
    first = mine(before)
    gone, new = ([(int(u), int(p)) for u, p in np.argwhere(x & ~y)] for x, y in ((before, after), (after, before)))
    found = update(first, added=new, removed=gone)
    assert found.verify() and found.value == mine(after, keep=first).value
    assert set(found.access.pairs()) == {(int(u), int(p)) for u, p in np.argwhere(after)}
    assert len(found.roles) >= len(mine(after).roles)


def test_an_update_of_inferred_roles_gives_new_users_what_fits():
    table = np.kron(np.eye(2, dtype=bool), np.ones((20, 5), bool))
    first = mine(table, "infer", n_roles=2)
    found = update(first, added=[(99, p) for p in range(5)], removed=[(0, 0)])
    role = next(name for name, held in first.roles.items() if 0 in held)
    assert found.assignments[99] == {role} and found.assignments[0] == {role} and found.value == 1
    assert found.roles == first.roles and found.verify()


def test_refusals():
    first = mine(BEFORE)
    with pytest.raises(ValueError, match="change_cost"):
        mine(BEFORE, keep=first, change_cost=-1)
    with pytest.raises(ValueError, match="which nobody has"):
        update(first, removed=[("a", "git")])
