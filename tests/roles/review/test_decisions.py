"""Decisions: written and read back, refused where damaged, asked again only where the evidence changed."""

import json
import os

import pytest

from unmix.roles import (
    Decisions,
    annotate,
    decide_exception,
    decide_role,
    explain,
    make_duty,
    mine,
    name_roles,
    read_decisions,
    review,
    write_decisions,
)
from unmix.roles.explanation.document import document

PAIRS = [(f"u{i}", p) for i in range(20) for p in ("mail", f"{'ab'[i % 2]}:run")] + [("u3", "payroll")]


def mined(pairs=PAIRS, **options):
    found = mine(pairs, **options)
    return found, document(found, explain(found))


def test_written_and_read_back(tmp_path):
    found, tree = mined()
    made = decide_role(review(found), "R01", "accepted", name="Ünï", description="d", comment='"c"', by="ann", at="now")
    made = decide_exception(made, tree["exceptions"][0], "rejected", comment="wrong", by="bob", at="now")
    assert read_decisions(write_decisions(made, tmp_path / "d.json")) == made
    assert [(event.what, event.on, event.by) for event in made.log] == [
        ("accepted", "R01", "ann"), ("name: Ünï", "R01", "ann"), ("description: d", "R01", "ann"),
        ("rejected", "u3 / payroll", "bob"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda tree: tree.update(format="other"), "no decision file"),
        (lambda tree: tree.update(version=2), "version 2"),
        (lambda tree: tree.pop("log"), "lacks a part"),
        (lambda tree: tree["roles"][0].update(extra=1), "lacks a part or has one too many"),
        (lambda tree: tree["roles"][0].update(status="maybe"), "status of the role 'R01' is 'maybe'"),
        (lambda tree: tree["roles"][0].update(permissions=[]), "no permissions"),
        (lambda tree: tree["roles"].append(tree["roles"][0]), "twice"),
    ],
)
def test_damaged_files_get_a_sentence(tmp_path, change, words):
    path = write_decisions(review(mined()[0]), tmp_path / "d.json")
    tree = json.loads(path.read_text("utf-8"))
    change(tree)
    path.write_text(json.dumps(tree), "utf-8")
    with pytest.raises(ValueError, match=words):
        read_decisions(path)
    path.write_text("{", "utf-8")
    with pytest.raises(ValueError, match="cannot be read"):
        read_decisions(path)
    with pytest.raises(ValueError, match="no decision file"):
        read_decisions(tmp_path / "absent.json")


def test_a_decided_exception_is_asked_again_only_on_other_evidence():
    found, tree = mined()
    entry = next(e for e in tree["exceptions"] if e["user"] == "u3")
    made = decide_exception(review(found), entry, "accepted", by="ann", at="now")
    same = annotate(tree, made)
    assert [e["review"]["status"] for e in same["exceptions"] if e["user"] == "u3"] == ["accepted"]
    assert same["exceptions"][-1]["user"] == "u3"  # what is open comes first
    for moved in (
        {"kind": "lost"},
        {"probability": entry["probability"] - 0.2},
        {"having": entry["peers"] // 2},
    ):
        (again,) = annotate({**tree, "exceptions": [{**entry, **moved}]}, made)["exceptions"]
        assert again["review"]["status"] == "open" and again["review"]["again"], moved
    one_more = mined([*PAIRS, ("u21", "mail"), ("u21", "b:run")])[1]
    (kept,) = [e["review"] for e in annotate(one_more, made)["exceptions"] if e["user"] == "u3"]
    assert kept["status"] == "accepted" and not kept["again"]


def test_an_accepted_role_that_changed_is_shown_as_changed():
    found, tree = mined()
    held = dict(zip((role["id"] for role in tree["roles"]), tree["roles"]))
    name = next(iter(held))
    made = decide_role(review(found), name, "accepted", by="ann", at="now")
    assert annotate(tree, made)["review"]["roles"] == {
        "accepted": 1,
        "changed": 0,
        "open": len(held) - 1,
        "rejected": 0,
    }
    changed = {**tree, "roles": [{**role, "permissions": [*role["permissions"], "new"]} for role in tree["roles"]]}
    shown = {role["id"]: role["review"] for role in annotate(changed, made)["roles"]}
    assert shown[name]["status"] == "changed" and shown[name]["added"] == ["new"]


def test_ids_of_other_results_are_refused():
    made = review(mined()[0])
    other = mine([("x", "alpha"), ("x", "beta"), ("y", "gamma")])
    with pytest.raises(ValueError, match="is another one than in the decision file"):
        review(other, made)


def test_open_roles_that_went_leave_their_ids_behind():
    found, _ = mined()
    later = mine([("u1", "mail"), ("u1", "b:run"), ("u2", "mail"), ("u2", "b:run")], keep=found)
    after = review(later, review(found))
    assert {role.id for role in after.roles} == {name.split()[0] for name in later.names}
    assert set(after.retired) == {name for name in found.names if name not in later.names}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda d, e: decide_role(d, "R99", "accepted"), "no role with the id 'R99'"),
        (lambda d, e: decide_role(d, "R01", "maybe"), "status is 'maybe'"),
        (lambda d, e: decide_role(d, "R01", name=" "), "name of a role is blank"),
        (lambda d, e: decide_exception(d, e, "open"), "status is 'open'"),
    ],
)
def test_refusals(call, words):
    found, tree = mined()
    with pytest.raises(ValueError, match=words):
        call(review(found), tree["exceptions"][0])


def test_no_decisions_are_decisions_too():
    _, tree = mined()
    shown = annotate(tree, Decisions())
    assert shown["review"]["roles"]["open"] == len(tree["roles"]) and shown["review"]["log"] == []


@pytest.mark.parametrize(
    "change",
    [
        lambda tree: tree["roles"][0].update(id=["R01"]),
        lambda tree: tree["roles"][0].update(name=5),
        lambda tree: tree["roles"][0].update(permissions=[3]),
        lambda tree: tree.update(log=[{"at": None, "by": None, "what": "x", "on": "y"}]),
        lambda tree: tree.update(retired="R1"),
    ],
)
def test_a_part_of_another_kind_is_refused(tmp_path, change):
    path = write_decisions(review(mined()[0]), tmp_path / "d.json")
    tree = json.loads(path.read_text("utf-8"))
    change(tree)
    path.write_text(json.dumps(tree), "utf-8")
    with pytest.raises(ValueError, match="another kind"):
        read_decisions(path)


def test_a_pipe_is_not_waited_for_and_endless_nesting_is_told(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(ValueError, match="no decision file"):
        read_decisions(tmp_path / "pipe.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match="cannot be read as a decision file"):
        read_decisions(tmp_path / "deep.json")


def test_given_names_stand_wherever_a_role_is_named():
    """Also in roles mined before the name was given: on the page for sign-off and in every export."""
    pairs = [(user, p) for user in ("ann", "bob") for p in ("mail", "pay:create")]
    pairs += [("ann", "pay:approve"), ("eve", "mail"), ("joe", "pay:approve"), ("joe", "mail")]
    found = name_roles(mine(pairs))
    tree = document(found, explain(found), duties=[make_duty(["pay:create", "pay:approve"])])
    for old in [role["name"] for role in tree["roles"]]:
        place = json.dumps(old)
        number = json.dumps(tree).count(place)
        assert number > 1  # the role, and who has it
        told = annotate(tree, decide_role(review(found), old[:3], name="Clerk"))
        assert json.dumps(told).count(place) == 0
        assert json.dumps(told).count(json.dumps(f"{old[:3]} Clerk")) == number
    assert tree["conflicts"]
