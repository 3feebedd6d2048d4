"""Attributes that steer: rules against enumeration, planted departments against plain mining, noise against nothing."""

from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.roles import Access, attribute_birthright, attribute_misfits, mine, role_rules
from unmix.roles.description.conditions import conditions_of
from unmix.roles.description.infer import infer_by_description
from unmix.roles.description.limits import Limits
from unmix.roles.description.membership import Memberships
from unmix.roles.problem.budget import Budget


def company(n=120, d=150, noise=0.06, seed=0, obey=0.95, shuffled=False):
    """Roles by department, by site and by department and title; most have what theirs gives, then errors."""
    rng = np.random.default_rng(seed)
    department, site, title = (rng.integers(k, size=n) for k in (6, 4, 3))
    follows = [department == v for v in range(6)] + [site == v for v in range(4)]
    follows += [(department == v) & (title == t) for v in range(6) for t in range(3)]
    sizes = [rng.integers(6, 10) if k < 6 else rng.integers(3, 6) for k in range(len(follows))]
    roles = np.array([np.isin(np.arange(d), rng.choice(d, size, replace=False)) for size in sizes])
    held = np.array(follows).T & (rng.random((n, len(follows))) < obey)
    held |= rng.random(held.shape) < 0.1 * (1 - obey)
    clean = held.astype(int) @ roles > 0
    X = clean.copy()
    wrong = round(noise * clean.sum())
    for value in (True, False):
        places = np.argwhere(clean == value)
        X[tuple(places[rng.choice(len(places), wrong, replace=False)].T)] = not value
    columns = {"department": department, "site": site, "title": title}
    if shuffled:
        columns = {name: rng.permutation(values) for name, values in columns.items()}
    who = {f"u{i}": {name: f"{name[0]}{values[i]}" for name, values in columns.items()} for i in range(n)}
    return Access(list(who), [f"p{j}" for j in range(d)], X, user_attributes=who), clean, held, roles


def purity(found, held, roles):
    """Of the blocks of users and permissions that roles are, the share inside one planted role."""
    users, permissions = found.user_roles.toarray().astype(float), found.role_permissions.toarray().astype(float)
    blocks = (users.T @ held) * (permissions @ roles.T.astype(float))
    return blocks.max(axis=1).sum() / (users.sum(axis=0) * permissions.sum(axis=1)).sum()


def both_minings(seed, shuffled):
    """Hybrid and plain mining, with as many roles as the one with fewer finds."""
    access, clean, held, roles = company(seed=seed, shuffled=shuffled)
    found = [infer_by_description(access, Budget(None), 0, steer=steer) for steer in (True, False)]
    least = Limits(most_roles=min(len(one.names) for one in found))
    found = [
        one if len(one.names) == least.most_roles
        else infer_by_description(access, Budget(None), 0, limits=least, steer=steer)
        for one, steer in zip(found, (True, False))
    ]  # fmt: skip
    assert len({len(one.names) for one in found}) == 1
    errors = [np.abs(one.given.toarray().astype(int) - clean).sum() for one in found]
    return [purity(one, held, roles) for one in found], errors


@pytest.mark.parametrize("seed", [10, pytest.param(11, marks=pytest.mark.long)])
def test_roles_are_purer_with_attributes_at_the_same_number(seed):
    (hybrid, plain), errors = both_minings(seed, shuffled=False)
    assert hybrid > plain + 0.02
    assert errors[0] < 0.5 * errors[1]


@pytest.mark.parametrize("seed", [20, pytest.param(21, marks=pytest.mark.long)])
def test_attributes_that_are_noise_do_no_harm(seed):
    (hybrid, plain), errors = both_minings(seed, shuffled=True)
    assert hybrid >= plain - 0.02
    assert errors[0] <= 1.05 * errors[1]


def code_of(n=30, seed=0):
    rng = np.random.default_rng(seed)
    who = {f"u{i}": {"a": "xyz"[rng.integers(3)], "b": "vw"[rng.integers(2)]} for i in range(n)}
    access = Access(list(who), ["p"], np.ones((n, 1)), user_attributes=who)
    return Memberships(n, conditions_of(access)), access


def test_conditions_are_all_values_and_pairs_that_some_users_meet():
    code, access = code_of()
    rows = list(access.user_attributes.values())
    expected = set()
    for size in (1, 2):
        for names in combinations("ab", size):
            for values in {tuple(row[name] for name in names) for row in rows}:
                users = [i for i, row in enumerate(rows) if tuple(row[name] for name in names) == values]
                if 3 <= len(users) < 30:
                    expected.add((tuple(zip(names, values)), tuple(users)))
    by_condition = csr_array(code.conditions.meets.T)
    lists = np.split(by_condition.indices, by_condition.indptr[1:-1])
    assert {(name, tuple(sorted(users))) for name, users in zip(code.conditions.names, lists)} == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_rule_of_a_role_is_the_shortest_of_all(seed):
    """By the definition: bits of the holders inside and outside of each condition, and to name it."""
    code, access = code_of(seed=seed)
    entropy = lambda p: 0.0 if p in (0, 1) else -p * np.log2(p) - (1 - p) * np.log2(1 - p)  # noqa: E731
    rng = np.random.default_rng(seed)
    rows = list(access.user_attributes.values())
    held = np.array([[row["a"] == "x", row["a"] == "y" and row["b"] == "v", rng.random() < 0.4] for row in rows])
    held = held ^ (rng.random(held.shape) < 0.03)
    meets = code.conditions.meets.toarray()
    total = 0.0
    for k, column in enumerate(held.T):
        lengths = [30 * entropy(column.mean())]
        for c in range(meets.shape[1]):
            inside = meets[:, c] > 0
            bits = inside.sum() * entropy(column[inside].mean()) + (~inside).sum() * entropy(column[~inside].mean())
            lengths.append(bits + code.conditions.bits[c] + np.log2(30) / 2)
        assert code.rules(csr_array(held.astype(float)))[k] == int(np.argmin(lengths)) - 1
        total += min(lengths)
    assert code.bits(csr_array(held.astype(float))) == pytest.approx(total)


def test_prices_inside_and_outside_of_a_rule():
    code, access = code_of()
    held = csr_array(np.array([[float(row["a"] == "x")] for row in access.user_attributes.values()]))
    prices = code.prices(held)
    assert prices.inside[0] < 0 < prices.outside[0]
    assert prices.meets.toarray()[:, 0].tolist() == held.toarray()[:, 0].tolist()


def test_rules_and_birthright_are_found_and_everybody_fits():
    access, _, _, _ = company(n=240, noise=0.0, seed=1, obey=1.0)
    found = mine(access, "infer")
    rules = role_rules(found)
    named = [rule.condition for rule in rules]
    assert {(("site", f"s{v}"),) for v in range(4)} <= set(named)
    assert sum(condition[0][0] == "department" for condition in named) >= 6
    assert len(rules) >= len(found.names) - 1
    assert all(rule.precision < rule.both / rule.users for rule in rules)  # drawn towards the share of all
    assert attribute_misfits(found) == []
    common = attribute_birthright(access)
    assert {entry.condition for entry in common} >= {(("site", f"s{v}"),) for v in range(4)}
    for entry in common:
        users = [u for u in access.users if all(access.user_attributes[u][a] == v for a, v in entry.condition)]
        assert entry.users == len(users)
        assert entry.holders == sum(entry.permission in access.permissions_of(u) for u in users) >= 0.95 * len(users)


def test_random_attributes_give_no_birthright_and_no_misfits():
    access, _, _, _ = company(n=240, noise=0.02, seed=3, shuffled=True)
    assert attribute_birthright(access) == []
    assert attribute_misfits(mine(access, "infer")) == []
