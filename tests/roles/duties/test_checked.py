"""Conflicts of access and of mined roles, and access without them, against brute force."""

from itertools import combinations

import numpy as np
import pytest

from unmix.roles import Access, conflicts, mine, without_conflicts
from unmix.roles.duties.duty import make_duty


def tiny(seed):
    rng = np.random.default_rng(seed)
    pairs = [(f"u{i}", f"p{j}") for i in range(6) for j in range(5) if rng.random() < 0.5]
    sets = [tuple(f"p{j}" for j in rng.choice(5, rng.integers(2, 4), replace=False)) for _ in range(2)]
    access = Access.of_pairs(pairs)
    return access, [members for members in sets if set(members) <= set(access.permissions)]


def fewest_removed(held, sets):
    """How few grants of one user must go, by trying."""
    for count in range(len(held) + 1):
        for gone in combinations(sorted(held), count):
            if not any(set(members) <= held - set(gone) for members in sets):
                return count
    raise AssertionError


@pytest.mark.parametrize("seed", range(60))
def test_conflicts_and_repairs_are_those_found_by_trying(seed):
    access, sets = tiny(seed)
    wanted = {(user, tuple(sorted(m))) for user in access.users for m in sets if set(m) <= access.permissions_of(user)}
    assert {(found.user, found.held) for found in conflicts(access, sets)} == wanted
    left, removed = without_conflicts(access, sets)
    assert conflicts(left, sets) == []
    assert len(removed) == sum(fewest_removed(set(access.permissions_of(user)), sets) for user in access.users)
    assert left.matrix.nnz == access.matrix.nnz - len(removed)


def test_mined_roles_of_repaired_access_keep_every_rule():
    access, sets = next(case for case in map(tiny, range(20)) if conflicts(*case))
    left, _ = without_conflicts(access, sets)
    assert conflicts(mine(left), sets) == []
    assert conflicts(mine(access), sets), "without a repair the users go on holding both"


def test_a_role_that_holds_both_is_a_cause_by_itself():
    found = mine([("ann", "a"), ("ann", "b"), ("bob", "a"), ("bob", "b")])
    seen = conflicts(found, [("a", "b")])
    assert [conflict.causes for conflict in seen] == [((found.names[0], ("a", "b")),)] * 2


def test_rules_over_roles():
    found = mine([("ann", "a"), ("bob", "b"), ("eve", "a"), ("eve", "b")])
    seen = conflicts(found, [make_duty(found.names, 1, over="roles")])
    assert [conflict.user for conflict in seen] == ["eve"] and seen[0].lost == 1


def test_a_misspelt_rule_is_refused():
    with pytest.raises(ValueError, match="none of the permissions"):
        conflicts(Access.of_pairs([("ann", "pay")]), [("pay", "aprove")])
