"""Two states of access by hand: who came, moved and left, why each grant changed, which role became which."""

import json

import pytest

from unmix.roles import Access, compare, match_over_time, mine, read
from unmix.roles.change.tables import write_change

SALES, CODE = ("mail", "crm", "quotes"), ("mail", "git", "ci")


def state(sales, code, more=(), attributes=None):
    pairs = [(u, p) for u in sales for p in SALES] + [(u, p) for u in code for p in CODE] + list(more)
    return read(pairs, attributes=attributes)


@pytest.fixture
def change():
    before = mine(state("abcd", "efgh"))
    after = state("abc", "efgdz", [("a", "payroll"), *((u, "wiki") for u in "efgdz")])
    return compare(before, mine(after, keep=before))


def test_people(change):
    assert (change.joiners, change.leavers) == (["z"], ["h"])
    assert [mover.user for mover in change.movers] == ["d"]
    (mover,) = change.movers
    assert (mover.lost, mover.gained) == (2, 3) and len(mover.left) == len(mover.joined) == 1
    assert change.users == (8, 8)


def test_grants_and_their_causes(change):
    causes = {(g.user, g.permission): g.cause for g in change.gained}
    assert causes == {
        ("a", "payroll"): "single", ("d", "ci"): "assignment", ("d", "git"): "assignment", ("d", "wiki"): "assignment",
        ("e", "wiki"): "role changed", ("f", "wiki"): "role changed", ("g", "wiki"): "role changed",
        **{("z", p): "joiner" for p in (*CODE, "wiki")},
    }  # fmt: skip
    assert [(g.user, g.permission) for g in change.unexplained] == [("a", "payroll")]
    assert {(g.user, g.permission): g.cause for g in change.lost} == {
        ("d", "crm"): "assignment", ("d", "quotes"): "assignment", **{("h", p): "leaver" for p in CODE},
    }  # fmt: skip


def test_roles_that_changed(change):
    (drift,) = change.drifted
    assert drift.old == drift.new and drift.added == ("wiki",) and drift.removed == () and drift.overlap == 0.75
    assert (drift.users_before, drift.users_after) == (4, 5) and change.vanished == []


def test_the_same_access_by_other_roles_is_no_move():
    access = state("abcd", "efgh")
    one, other = mine(access), mine(access, objective="wsc", weights=(1, 1, 1, 1, 0))
    change = compare(one, other)
    assert change.movers == [] and change.gained == change.lost == []


def test_access_without_roles_and_attributes():
    before = state("ab", "e", attributes={"a": {"site": "Bern"}, "b": {"site": "Bern"}})
    after = state("b", "a", attributes={"a": {"site": "Bern"}, "b": {"site": "Basel"}})
    change = compare(before, after)
    assert change.leavers == ["e"] and change.roles == (0, 0) and change.appeared == []
    assert {m.user: m.attributes for m in change.movers} == {"a": (), "b": (("site", "Bern", "Basel"),)}
    assert {g.cause for g in change.gained} == {"single"}


def test_a_change_turned_round_is_the_change_back(change):
    before = mine(state("abcd", "efgh"))
    after = mine(state("abc", "efgdz", [("a", "payroll")]), keep=before)
    there, back = compare(before, after), compare(after, before)
    assert (there.joiners, there.leavers) == (back.leavers, back.joiners)
    assert {g[:2] for g in there.gained} == {g[:2] for g in back.lost}
    assert {g[:2] for g in there.lost} == {g[:2] for g in back.gained}


def test_written_tables(change, tmp_path):
    assert [path.name for path in write_change(change, tmp_path)] == [
        "people.csv",
        "grants.csv",
        "roles.csv",
        "change.json",
    ]
    assert json.loads((tmp_path / "change.json").read_text("utf-8")) == json.loads(json.dumps(change.to_dict()))
    assert "mover,d," in (tmp_path / "people.csv").read_text("utf-8")


def test_pairs_of_roles_add_up_to_most():
    old = {"a": frozenset("wxyz"), "b": frozenset("wxy")}
    new = {"c": frozenset("wxyzv"), "d": frozenset("wxyz"), "e": frozenset("wx")}
    # a = d is the same set; then b goes to c (3/5) or e (2/3).
    assert {m.old: m.new for m in match_over_time(old, new)} == {"a": "d", "b": "e"}
    assert match_over_time({"a": frozenset("xyz")}, {"b": frozenset("z")}) == []


def test_an_access_with_nobody_in_it():
    empty = Access(["a"], ["p"], [[0]])
    change = compare(empty, state("a", "e"))
    assert change.joiners == ["a", "e"] and change.leavers == []
