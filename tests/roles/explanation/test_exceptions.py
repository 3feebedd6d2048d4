"""Exceptions in words: probabilities by hand, planted wrong grants, names, birthright, inference."""

import numpy as np
import pytest

from unmix.roles import Access, birthright, explain, mine, name_roles, read
from unmix.roles.explanation import shared_roles
from unmix.roles.explanation.document import document
from unmix.roles.explanation.first_roles import first_roles
from unmix.roles.explanation.habit import learn_habits
from unmix.roles.explanation.improbable import reason
from unmix.roles.problem.result import Roles


def company(n=60, seed=0, wrong=0):
    """Three departments of five permissions each, two that everybody has, and some wrong grants."""
    rng = np.random.default_rng(seed)
    pairs = {(f"u{i:02d}", p) for i in range(n) for p in ("mail:read", "mail:send")}
    pairs |= {(f"u{i:02d}", f"d{i % 3}:{k}") for i in range(n) for k in range(5)}
    planted = set()
    while len(planted) < wrong:
        i, k = int(rng.integers(n)), int(rng.integers(5))
        planted.add((f"u{i:02d}", f"d{(i + 1) % 3}:{k}"))
    return sorted(pairs | planted), planted


@pytest.mark.parametrize("problem", ["fewest", "infer"])
def test_planted_wrong_grants_come_first(problem):
    pairs, planted = company(wrong=6)
    found = mine(pairs, problem, n_roles=3)
    first = explain(found).exceptions[:6]
    assert {(entry.user, entry.permission) for entry in first} == planted
    assert all(entry.kind == "lost" and "of the 19 other users with the same" in entry.reason for entry in first)


@pytest.mark.parametrize(("problem", "at_least"), [("infer", 45), ("fewest", 45)])
@pytest.mark.parametrize("seed", range(2))
def test_fifty_planted_wrong_grants_among_the_first_hundred(problem, at_least, seed):
    rng = np.random.default_rng(seed)
    roles, held = rng.random((6, 80)) < 0.2, np.zeros((400, 6), bool)
    for row in held:
        row[rng.choice(6, rng.integers(1, 3), replace=False)] = True
    X = held.astype(int) @ roles > 0
    free = np.argwhere(~X)
    planted = {tuple(pair) for pair in free[rng.choice(len(free), 50, replace=False)].tolist()}
    X[tuple(np.array(sorted(planted)).T)] = True
    told = explain(mine(X, problem, n_roles=6)).exceptions[:100]
    assert len({(entry.user, entry.permission) for entry in told} & planted) >= at_least


def test_a_cover_names_the_grant_only_one_user_has():
    pairs, planted = company(wrong=1)
    found = mine(pairs)
    assert found.exceptions == []
    (entry,) = explain(found).exceptions
    assert {(entry.user, entry.permission)} == planted
    assert entry.probability > 0.95
    assert (entry.kind, entry.peers, entry.having) == ("improbable", 19, 0)


def test_probability_by_hand():
    """Two roles of ten users; three of the first have something more: nine peers each, two of whom have it too."""
    pairs = [(f"u{i}", p) for i in range(20) for p in ("abc" if i < 10 else "def")]
    found = mine([*pairs, ("u0", "z"), ("u1", "z"), ("u2", "z")], "fewest", n_roles=2)
    # four permissions of each group that its role does not give: one of these eight cells has three of ten
    habits = learn_habits(np.array([3.0, 0.0]), np.array([10.0, 10.0]), np.array([1.0, 7.0]))
    overall = (2 + habits.rate) / 20  # the other two of all twenty, as one more peer
    expected = habits.wrong(np.array(3 + overall), np.array(11.0))
    told = explain(found).exceptions
    assert [(entry.peers, entry.having, entry.kind) for entry in told] == [(9, 2, "lost")] * 3
    assert [entry.probability for entry in told] == pytest.approx([float(expected)] * 3)


def test_risk_changes_the_order():
    pairs, _ = company(wrong=4)
    found = mine(pairs, "fewest", n_roles=3)
    last = explain(found).exceptions[3]
    again = explain(found, risk={last.permission: 100.0}).exceptions[0]
    assert again.permission == last.permission
    assert again.risk == pytest.approx(100 * again.probability)
    with pytest.raises(ValueError, match="no permission of the data"):
        explain(found, risk={"nothing": 1})
    with pytest.raises(ValueError, match="at least 0"):
        explain(found, risk={last.permission: -1})


def test_a_missing_grant_is_found():
    pairs, _ = company()
    told = explain(mine([pair for pair in pairs if pair != ("u04", "d1:3")], "infer", n_roles=3))
    (entry,) = [entry for entry in told.exceptions if entry.kind in ("gained", "missing")]
    assert (entry.user, entry.permission) == ("u04", "d1:3")
    assert entry.reason.startswith("all of the 19")


def test_probability_of_a_missing_grant_by_hand():
    pairs = [(f"u{i}", p) for i in range(20) for p in ("abcd" if i < 10 else "efgh")]
    found = mine([pair for pair in pairs if pair not in {("u0", "a"), ("u1", "a"), ("u2", "b")}], "fewest", n_roles=2)
    habits = learn_habits(np.array([2.0, 1.0, 0.0]), np.full(3, 10.0), np.array([1.0, 1.0, 6.0]))
    probability = dict(zip("ab", habits.wrong(np.array([2.0, 1.0]), np.full(2, 10.0))))
    told = explain(found).exceptions
    assert [(entry.user, entry.permission, entry.kind, entry.having) for entry in told] == [
        ("u2", "b", "gained", 9), ("u0", "a", "gained", 8), ("u1", "a", "gained", 8),
    ]  # fmt: skip
    assert [entry.probability for entry in told] == pytest.approx([probability[entry.permission] for entry in told])


def test_a_user_who_fits_no_role():
    pairs, _ = company()
    told = explain(mine(pairs + [("odd", f"own:{k}") for k in range(4)]))
    (outlier,) = told.outliers
    assert (outlier.user, outlier.grants, outlier.explained) == ("odd", 4, 0)
    assert not [entry for entry in told.exceptions if entry.user == "odd"]


def test_all_grants_outside_the_roles_are_listed():
    pairs, _ = company(wrong=5)
    found = mine(pairs, objective="wsc")
    direct = {(grant.user, grant.permission) for grant in found.exceptions}
    listed = explain(found, most=0).exceptions
    assert {(entry.user, entry.permission) for entry in listed} == direct
    assert {entry.kind for entry in listed} <= {"direct"}


def test_birthright():
    pairs, _ = company()
    found = birthright(Access.of_pairs([pair for pair in pairs if pair != ("u01", "mail:send")]))
    assert [tuple(entry) for entry in found] == [("mail:read", 60, 0), ("mail:send", 59, 1)]
    with pytest.raises(ValueError, match="share"):
        birthright(Access.of_pairs(pairs), 0)


def test_roles_are_named_by_attributes_and_permissions():
    pairs, _ = company()
    attributes = {f"u{i:02d}": {"team": ["Red", "Green", "Blue"][i % 3], "site": "Bern"} for i in range(60)}
    found = name_roles(mine(read(pairs, attributes=attributes)))
    by_team = {name.split()[1] for name in found.names}
    assert by_team == {"Red:", "Green:", "Blue:"}
    assert {name.split()[2] for name in found.names} == {"d0", "d1", "d2"}
    assert found.verify()
    told = explain(found)
    # everybody is in Bern, so that says nothing about a role
    for traits in told.traits.values():
        assert [(trait.attribute, trait.share, trait.overall) for trait in traits] == [("team", 1, 1 / 3)]


def test_given_names_stay():
    found = name_roles(mine([("a", "x"), ("b", "x")], keep={"Readers": ["x"]}))
    assert found.names == ["Readers"]


@pytest.mark.parametrize(
    ("evidence", "words"),
    [
        ((43, 0, 5), "none of the 43 other users with the same 5 roles has it"),
        ((3, 2, 1), "2 of the 3 other users with the same role have it"),
        ((0, 0, 2), "there is no other user with the same 2 roles"),
        ((1, 0, 0, "shared role"), "the only other user without a shared role does not have it"),
    ],
)
def test_reasons(evidence, words):
    assert reason(*evidence) == words


def test_inference_chooses_the_number_and_says_it_is_no_proof():
    pairs, planted = company(n=45, wrong=3)
    found = mine(pairs, "infer", most_roles=4)
    assert len(found.names) == 3
    assert set(found.tried) == {1, 2, 3, 4}
    assert isinstance(found, Roles)
    assert not found.proven
    assert "not proven: 3 entries" in found.certificate
    assert {(grant.user, grant.permission) for grant in found.exceptions} == planted
    assert found.verify()
    assert document(found, explain(found))["problems"] == []
    edge = mine(pairs, "infer", most_roles=2)
    assert "largest number of roles that was tried" in document(edge, explain(edge))["problems"][0]


@pytest.mark.parametrize("pairs", [[("a", "x")], [("a", "x"), ("b", "y")], [("a", "x"), ("a", "y")]])
def test_tiny_data(pairs):
    for problem in ("cover", "infer"):
        found = name_roles(mine(pairs, problem))
        explain(found)
        assert found.verify()


@pytest.mark.parametrize("seed", range(5))
def test_first_roles_add_most_each_time(seed):
    """Against plain greedy, which recounts every role at every step."""
    rng = np.random.default_rng(seed)
    found = mine([(int(i), int(j)) for i, j in np.argwhere(rng.random((12, 9)) < 0.5)])
    steps = first_roles(found)
    assert sorted(step.role for step in steps) == sorted(found.names)
    left = set(found.access.pairs())
    gives = {
        name: {(user, p) for user, held in found.assignments.items() if name in held for p in found.roles[name]}
        for name in found.names
    }
    for step in steps:
        assert len(left & gives[step.role]) == max(len(left & given) for given in gives.values())
        left -= gives.pop(step.role)
        assert step.left == len(left)
    assert not left


def test_large_data_keep_the_roles_they_were_given(monkeypatch):
    pairs, planted = company(wrong=1)
    found = mine(pairs)
    usual = explain(found)
    monkeypatch.setattr(shared_roles, "MOST_PRODUCTS", 0)
    assert {(entry.user, entry.permission) for entry in explain(found).exceptions} <= planted
    assert len(usual.exceptions) == 1


def test_who_shares_all_roles_with_nobody_is_judged_by_all_holders_of_a_role():
    """A pair of roles that one user alone holds: what is missing from the first is held by all other holders of it."""
    roles = [[f"{r}{k}" for k in range(6)] for r in "abcd"]
    pairs = [(f"{r[0]}{i}", p) for r in roles for i in range(12) for p in r]
    pairs += [("both", p) for p in roles[0] + roles[1] if p != "a3"]
    entry = next(e for e in explain(mine(pairs)).exceptions if e.user == "both")
    assert (entry.permission, entry.kind, entry.peers, entry.having) == ("a3", "missing", 12, 12)
    assert entry.reason == "all of the 12 other users with the same role have it"
    assert set(entry.such_as) <= {f"a0{i}" for i in range(12)}
    assert 0.9 < entry.probability < 1 - 0.2 / 14 + 1e-9
