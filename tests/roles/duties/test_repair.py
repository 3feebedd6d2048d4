"""The cheapest repair against every way to take things away."""

from itertools import chain, combinations

import numpy as np
import pytest

from unmix.roles.duties.conflicts import Holding, find_conflicts, plain_holdings
from unmix.roles.duties.duty import as_duties, make_duty
from unmix.roles.duties.repair import Source, cheapest_repair

NAMES = list("abcdef")


def subsets(items):
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def best_by_trial(sources, duties, risk):
    """(permissions lost, their risk negated, things taken) of the best subset to take."""
    everything = frozenset().union(*(s.permissions for s in sources)) if sources else frozenset()
    found = []
    for taken in subsets(range(len(sources))):
        left = [s for i, s in enumerate(sources) if i not in taken]
        held = frozenset().union(*(s.permissions for s in left)) if left else frozenset()
        roles = {s.name for s in left if s.kind == s.name}
        if all(len(d.members & (roles if d.over == "roles" else held)) <= d.most for d in duties):
            lost = everything - held
            found.append((len(lost), -sum(risk.get(name, 0) for name in lost), len(taken)))
    return min(found)


@pytest.mark.parametrize("seed", range(200))
def test_no_repair_is_cheaper(seed):
    rng = np.random.default_rng(seed)
    sources = [
        Source(f"R{i}", f"R{i}", frozenset(rng.choice(NAMES, rng.integers(1, 4), replace=False)))
        for i in range(rng.integers(1, 4))
    ]
    sources += [Source("direct", p, frozenset([p])) for p in rng.choice(NAMES, rng.integers(0, 4), replace=False)]
    duties = []
    for _ in range(rng.integers(1, 4)):
        members = rng.choice(NAMES, rng.integers(2, 5), replace=False)
        duties.append(make_duty(members, int(rng.integers(1, len(members)))))
    names = [s.name for s in sources if s.kind == s.name]
    if len(names) > 1:
        duties.append(make_duty(names, 1, over="roles"))
    for risk in ({}, dict(zip(NAMES, rng.choice([0, 1, 5, 50], len(NAMES)).tolist()))):
        found = cheapest_repair(sources, duties, risk)
        lost = frozenset().union(*(s.permissions for s in sources))
        lost -= frozenset().union(*(s.permissions for s in sources if s not in found.taken))
        danger = -sum(risk.get(name, 0) for name in lost)
        assert (found.lost, danger, len(found.taken)) == best_by_trial(sources, duties, risk)


def test_danger_does_not_take_more_permissions_than_needed():
    sources = [
        Source("R1", "R1", frozenset(["pay", "post", "read"])),
        Source("direct", "approve", frozenset(["approve"])),
    ]
    found = cheapest_repair(sources, as_duties([("pay", "approve")]), {"pay": 50.0, "post": 50.0, "read": 50.0})
    assert [source.name for source in found.taken] == ["approve"]


def test_what_is_dangerous_to_hold_is_taken_first():
    sources = [Source("direct", p, frozenset([p])) for p in ("pay", "approve")]
    duty = as_duties([("pay", "approve")])
    for dangerous in ("pay", "approve"):
        found = cheapest_repair(sources, duty, {dangerous: 5.0})
        assert [source.name for source in found.taken] == [dangerous]


def test_both_users_of_a_forbidden_pair_are_found():
    pairs = [("ann", "pay:create"), ("ann", "pay:approve"), ("bob", "pay:create"), ("eve", "pay:approve")]
    pairs += [("eve", "pay:create"), ("joe", "mail")]
    found = find_conflicts(plain_holdings(pairs), {}, as_duties([("pay:create", "pay:approve")]))
    assert [conflict.user for conflict in found] == ["ann", "eve"]
    assert all(conflict.lost == 1 and len(conflict.repair) == 1 for conflict in found)


def test_causes_name_roles_and_single_grants():
    held = {"ann": Holding(("R01", "R02"), ("c",))}
    found = find_conflicts(held, {"R01": ["a", "x"], "R02": ["b"]}, as_duties([("a", "b"), ("b", "c")]))
    assert [conflict.causes for conflict in found] == [
        (("R01", ("a",)), ("R02", ("b",))),
        (("R02", ("b",)), ("direct", ("c",))),
    ]
    assert [conflict.repair for conflict in found] == [(("R02", "R02"),)] * 2  # one permission fewer ends both


@pytest.mark.parametrize(
    "members, most, words", [(["a"], None, "at least two"), (["a", "b"], 2, "from 1 to 1"), (["a", "b"], 0, "from 1")]
)
def test_rules_that_mean_nothing_are_refused(members, most, words):
    with pytest.raises(ValueError, match=words):
        make_duty(members, most)
