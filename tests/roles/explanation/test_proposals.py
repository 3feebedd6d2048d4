"""Exceptions grouped into proposals, with the peers they rest on; and what predicts users left out better."""

import numpy as np

from unmix.roles import explain, mine, proposals, which_fits
from unmix.roles.explanation.proposals import action_of


def table(wrong):
    X = np.kron(np.eye(4, dtype=bool), np.ones((20, 12), bool))
    for i, j in wrong:
        X[i, j] = ~X[i, j]
    return X


WRONG = [(0, 20), (1, 20), (2, 20), (30, 0), (30, 1), (30, 40), (70, 40), (5, 3)]


def test_every_exception_is_in_one_proposal_and_all_of_it_is_treated_alike():
    told = explain(mine(table(WRONG), "infer", n_roles=4))
    places = [k for one in told.proposals for k in one.entries]
    assert sorted(places) == list(range(len(told.exceptions)))
    for one in told.proposals:
        entries = [told.exceptions[k] for k in one.entries]
        assert {action_of(entry) for entry in entries} == {one.action}
        assert len(one.users) == 1 or len(one.permissions) == 1
        assert {(e.user, e.permission) for e in entries} == {(u, p) for u in one.users for p in one.permissions}
        assert one.risk == sum(entry.risk for entry in entries)
    risks = [one.risk for one in told.proposals]
    assert risks == sorted(risks, reverse=True)
    assert len(told.proposals) < len(told.exceptions)
    assert [30] in [one.users for one in told.proposals if len(one.permissions) > 1]
    assert [one.users for one in told.proposals if one.action == "give"] == [[5], [70]]


def test_risk_puts_a_proposal_first():
    found = mine(table(WRONG), "infer", n_roles=4)
    first = explain(found, risk={3: 50.0}).proposals[0]
    assert (first.action, first.users, first.permissions) == ("give", [5], [3])


def test_peers_who_differ_are_named():
    found = mine(table(WRONG), "infer", n_roles=4)
    for entry in explain(found).exceptions:
        assert entry.such_as
        own = entry.permission in found.access.permissions_of(entry.user)
        for other in entry.such_as:
            assert found.assignments[other] == found.assignments[entry.user]
            assert (entry.permission in found.access.permissions_of(other)) != own


def test_no_proposals_without_exceptions():
    assert proposals([]) == []


def noisy(noise, seed=0):
    rng = np.random.default_rng(seed)
    roles = rng.random((8, 60)) < 0.15
    held = np.array([np.isin(np.arange(8), rng.choice(8, rng.integers(1, 3), replace=False)) for _ in range(180)])
    return (held.astype(int) @ roles > 0) ^ (rng.random((180, 60)) < noise)


def test_users_left_out_say_whether_the_data_hold_errors():
    errors, clean = which_fits(noisy(0.03), time_limit=20), which_fits(noisy(0.0), time_limit=20)
    assert errors.better == "infer"
    assert errors.infer < errors.cover
    assert "Inferred roles fit better by prediction of 60 users left out" in errors.sentence
    assert clean.better != "infer"
    assert which_fits(noisy(0.0)[:20]) is None
