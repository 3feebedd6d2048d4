"""Inference that continues existing roles: they stay where the data bear them out, by bits counted anew."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.roles import decide_role, mine, review
from unmix.roles.description.assignment import measured
from unmix.roles.description.code_length import Rates, role_cost
from unmix.roles.description.comparison import bits_of
from unmix.roles.description.kept import KeptRoles
from unmix.roles.description.limits import NO_LIMITS
from unmix.roles.description.membership import Memberships
from unmix.roles.description.refinement import refit_roles
from unmix.roles.description.task import Task
from unmix.roles.problem.budget import Budget

BLOCKS = np.kron(np.eye(4, dtype=bool), np.ones((25, 8), bool))


def noisy(seed, share=0.03):
    return BLOCKS ^ (np.random.default_rng(seed).random(BLOCKS.shape) < share)


def sets(found):
    return {frozenset(held) for held in found.roles.values()}


def bits(found, existing, change_cost):
    """Of the data by these roles, and of the existing ones that are not among them."""
    gone = existing - sets(found)
    return bits_of(found) + change_cost * sum(role_cost(len(one), BLOCKS.shape[1]) for one in gone)


@pytest.mark.parametrize("cost", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(6))
def test_no_other_answer_at_hand_is_shorter_with_what_the_change_costs(seed, cost):
    """Against mining anew, and against the roles of before on the table of today."""
    rng = np.random.default_rng(seed)
    first = mine(noisy(seed), "infer", min_users=2)
    today = noisy(seed) ^ (rng.random(BLOCKS.shape) < 0.02)
    today[:10, 8 + seed] = True  # something new for some of the first team
    found = mine(today, "infer", min_users=2, keep=first, change_cost=cost)
    anew = mine(today, "infer", min_users=2)
    as_before = mine(today, "infer", min_users=2, keep=first.roles)
    assert sets(as_before) >= sets(first)
    for other in (anew, as_before):
        assert bits(found, sets(first), cost) <= bits(other, sets(first), cost) * (1 + 1e-9)


def test_a_role_stays_where_a_change_would_save_less_than_it_costs():
    table = noisy(2, 0.08)
    table[:25, 7] = np.arange(25) < 11  # eleven of twenty-five have it still
    existing = {f"R0{k + 1}": range(8 * k, 8 * k + 8) for k in range(4)}
    found = mine(table, "infer", keep=existing, change_cost=1)
    assert found.roles == {name: frozenset(held) for name, held in existing.items()}
    assert frozenset(range(7)) in sets(mine(table, "infer", keep=existing, change_cost=0))


def test_a_role_that_all_its_holders_outgrew_changes_and_keeps_its_id():
    first = mine(BLOCKS, "infer", min_users=2)
    wide = np.hstack([BLOCKS, np.zeros((100, 1), bool)])
    wide[25:50, 32] = True
    name = next(name for name, held in first.roles.items() if 8 in held)
    found = mine(wide, "infer", keep=first)
    assert found.roles == {**first.roles, name: frozenset([*range(8, 16), 32])}


def test_what_is_given_as_a_list_of_roles_is_in_the_answer_under_its_name():
    keep = {"Night shift": [0, 9, 18], "Team": range(8)}
    found = mine(noisy(0), "infer", keep=keep)
    assert found.roles["Night shift"] == {0, 9, 18} and found.roles["Team"] == set(range(8))
    assert len(found.roles) == 5
    few = mine(noisy(0), "infer", keep=keep, n_roles=1, min_users=3, min_permissions=4)
    assert set(few.roles) == set(keep)
    with pytest.raises(ValueError, match="no permission of the data"):
        mine(BLOCKS, "infer", keep={"a": [99]})


@pytest.mark.parametrize("problem", ["infer", "auto"])
def test_accepted_roles_stay_and_rejected_ones_do_not_come_back(problem):
    first = mine(noisy(1), "infer", min_users=2)
    made = decide_role(decide_role(review(first), "R01", "accepted", name="One"), "R02", "rejected")
    found = mine(noisy(1), problem, decisions=made)
    assert found.roles["R01 One"] == first.roles["R01"]
    assert first.roles["R02"] not in sets(found)


def test_a_parameter_of_the_model_and_roles_to_keep_are_refused_together():
    with pytest.raises(ValueError, match="keeps no roles"):
        mine(BLOCKS, "infer", keep={"a": [1]}, max_roles=2)


@pytest.mark.parametrize("cost", [0.0, 0.3, 1.0, 3.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_refit_keeps_a_role_where_all_in_all_that_takes_fewer_bits(seed, cost):
    """Both ways written down in full, at the rates given."""
    rng, rates = np.random.default_rng(seed), Rates(0.1, 0.1)
    X = csr_array((rng.random((12, 9)) < np.where(np.arange(9) < 5, 0.6, 0.2)).astype(float))
    old = csr_array((np.arange(9) < 5).astype(float)[None, :])
    held = csr_array(np.ones((12, 1)))
    free = Task(Memberships(12), NO_LIMITS, Budget(None))
    new = refit_roles(X, measured(X, old, held), rates, free)
    kept = KeptRoles(old, np.zeros(1, bool), cost)
    found = refit_roles(X, measured(X, old, held), rates, free._replace(kept=kept))

    def total(roles):
        permissions = roles.toarray()[0] > 0
        ones = X.toarray()[:, permissions].sum()
        zeros = 12 * permissions.sum() - ones
        changed = not np.array_equal(permissions, old.toarray()[0] > 0)
        written = role_cost(permissions.sum(), 9) + cost * changed * role_cost(5, 9)
        return zeros * rates.penalty - ones * rates.reward + written

    assert total(found) == pytest.approx(min(total(old), total(new)))
