"""Steps of a review: each does what it says to who has what, as `unmix roles what-if` and plain sets see it."""

import csv
import io
import zipfile
from pathlib import Path

import pytest

from tests.studio import made_access
from unmix.roles import read_decisions
from unmix.roles.access.folder import read_document, recompute
from unmix.roles.explanation.document import given_pairs, held_pairs
from unmix.roles.explanation.what_if import what_if
from unmix.studio.children.commands import mine_roles
from unmix.studio.review.cost import cost, taken
from unmix.studio.review.draft import Draft
from unmix.studio.review.files import bundle, zipped
from unmix.studio.review.result import reviewed
from unmix.studio.review.steps import take

FORBID = ["--forbid", "pay:create", "pay:approve"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """As the command writes it."""
    home = tmp_path_factory.mktemp("review")
    (home / "access.csv").write_bytes(made_access.as_csv())
    (home / "users.csv").write_bytes(made_access.users())
    files = {name: str(home / name) for name in ("access.csv", "users.csv")}
    said: list[str] = []
    words = ["access.csv", "--attributes", "users.csv", *FORBID]
    mine_roles(said.append, files, str(home / "out"), str(home / "checkpoints"), words)
    assert said[0] == "reading the access data" and said[-1] == "writing the report"
    return home / "out"


@pytest.fixture
def tree(folder) -> dict:
    return read_document(folder)


def keys(tree: dict) -> list[str]:
    return [role["id"] for role in tree["roles"]]


def after(tree: dict, *steps: dict) -> tuple[Draft, dict]:
    draft = Draft.of(tree)
    for step in steps:
        take(draft, step)
    return draft, reviewed(tree, draft, len(steps))


def test_a_draft_gives_what_the_document_gives(tree):
    draft = Draft.of(tree)
    assert draft.given() == given_pairs(tree) == held_pairs(tree) == set(made_access.pairs())
    n = tree["counts"]
    assert cost(draft) == {
        **{name: n[name] for name in ("roles", "assignments", "role_permissions", "direct")},
        "total": n["roles"] + n["assignments"] + n["role_permissions"] + n["direct"],
    }


def test_merging_and_rejecting_are_those_of_what_if(tree):
    first, second, third = keys(tree)[:3]
    draft, found = after(
        tree, {"do": "merge", "roles": [first, second]}, {"do": "reject", "role": third, "keep": False}
    )
    change = what_if(tree, [third], [(first, second)])
    assert given_pairs(found) == given_pairs(change.after) == draft.given()
    assert [tuple(pair) for pair in found["lost"]] == change.lost
    assert [tuple(pair) for pair in found["gained"]] == change.gained
    assert {role["name"]: role["permissions"] for role in found["roles"]} == {
        role["name"]: role["permissions"] for role in change.after["roles"]
    }
    assert [one["user"] for one in found["conflicts"]] == [one.user for one in change.conflicts]


def test_the_cost_of_a_step_is_the_difference_of_the_counts(tree):
    first, second = keys(tree)[:2]
    draft = Draft.of(tree)
    change = taken(tree, draft, {"do": "merge", "roles": [first, second]})
    now = cost(draft)
    expected = what_if(tree, [], [(first, second)])
    assert {name: now[name] - cost(Draft.of(tree))[name] for name in now} == {name: change[name] for name in now}
    assert (change["lost"], change["gained"]) == (len(expected.lost), len(expected.gained))
    had = {(one.user, one.duty.name) for one in what_if(tree).conflicts}
    has = {(one.user, one.duty.name) for one in expected.conflicts}
    assert (change["new_conflicts"], change["solved_conflicts"]) == (len(has - had), len(had - has))
    assert f"{change['gained']} grants gained" in change["sentence"] if change["gained"] > 1 else True


def test_splitting_and_rejecting_with_its_grants_kept_change_nothing_for_anybody(tree):
    role = max(tree["roles"], key=lambda role: len(role["permissions"]))
    part = role["permissions"][:1]
    draft, found = after(tree, {"do": "split", "role": role["id"], "permissions": part, "name": "a part"})
    assert draft.given() == given_pairs(tree) == given_pairs(found)
    assert len(found["roles"]) == len(tree["roles"]) + 1 and found["exact"]
    made = next(one for one in found["roles"] if one["name"] == "a part")
    assert made["permissions"] == part and made["id"] not in keys(tree) and made["n_users"] == role["n_users"]
    every = [{"do": "reject", "role": key, "keep": True} for key in keys(tree)]
    draft, found = after(tree, *every)
    assert draft.direct == draft.given() == given_pairs(tree) and found["roles"] == []


@pytest.mark.parametrize("kind, status, has", [
    ("direct", "accepted", True), ("improbable", "rejected", False), ("lost", "accepted", True),
    ("lost", "rejected", False), ("gained", "accepted", False), ("gained", "rejected", True),
    ("missing", "rejected", True), ("missing", "accepted", False),
])  # fmt: skip
def test_a_decision_changes_one_entry_and_no_other(tree, kind, status, has):
    """Whatever the entry was before: afterwards the user has it or not, and nobody's other entry moved."""
    for pair in [("u03", "<b>root</b>"), ("u05", "crm:read"), ("u05", "pay:create")]:
        step = {"do": "decide", "user": pair[0], "permission": pair[1], "kind": kind, "status": status}
        draft, found = after(tree, step)
        assert (pair in draft.given()) == has
        assert draft.given() ^ given_pairs(tree) <= {pair}
        assert given_pairs(found) == draft.given()


def test_names_and_states(tree):
    key = keys(tree)[0]
    draft, found = after(tree, {"do": "accept", "role": key}, {"do": "rename", "role": key, "name": " Clerks "})
    assert draft.roles[key].status == "accepted"
    role = next(role for role in found["roles"] if role["id"] == key)
    assert role["name"] == "Clerks" and role["permissions"] == tree["roles"][0]["permissions"]
    assert all("Clerks" in found["assignments"][user] for user in draft.holders(key))
    take(draft, {"do": "reopen", "role": key})
    assert draft.roles[key].status == "open"


@pytest.mark.parametrize("step", [
    {}, {"do": "explode"}, {"do": ["merge"]}, {"do": "accept"}, {"do": "accept", "role": "R99"},
    {"do": "rename", "role": "FIRST", "name": " "}, {"do": "rename", "role": "FIRST", "name": "x" * 200},
    {"do": "rename", "role": "FIRST", "name": "SECOND"}, {"do": "merge", "roles": ["FIRST"]},
    {"do": "merge", "roles": ["FIRST", "FIRST"]}, {"do": "merge", "roles": "FIRST"}, {"do": "merge", "roles": [[], {}]},
    {"do": "split", "role": "FIRST", "permissions": [], "name": "x"},
    {"do": "split", "role": "FIRST", "permissions": ["no such"], "name": "x"},
    {"do": "split", "role": "FIRST", "permissions": [{}, 3], "name": "x"},
    {"do": "decide", "user": "nobody", "permission": "x", "kind": "direct", "status": "accepted"},
    {"do": "decide", "user": "u01", "permission": "x", "kind": "odd", "status": "accepted"},
    {"do": "decide", "user": "u01", "permission": "x", "kind": ["direct"], "status": "accepted"},
    {"do": "decide", "user": "u01", "permission": 3, "kind": "direct", "status": "maybe"},
])  # fmt: skip
def test_what_cannot_be_done_is_a_sentence(tree, step):
    names = {"FIRST": keys(tree)[0], "SECOND": tree["roles"][1]["name"]}

    def filled(value):
        return [filled(one) for one in value] if isinstance(value, list) else names.get(str(value), value)

    with pytest.raises(ValueError, match=r"\.$"):
        after(tree, {name: filled(value) for name, value in step.items()})


def test_the_files_without_a_step_are_those_of_the_command_and_multiply_out(tree, folder, tmp_path):
    files = bundle(tree, reviewed(tree, Draft.of(tree), 0), [])
    for name in ("roles.csv", "assignments.csv", "exceptions.csv", "conflicts.csv", "roles.json"):
        assert files[name] == (folder / name).read_bytes(), name
    first, second = keys(tree)[:2]
    draft, found = after(tree, {"do": "merge", "roles": [first, second]}, {"do": "reject", "role": first, "keep": True})
    merged = {"do": "merge", "roles": [first, second]}
    steps = [{"step": merged, "cost": {"sentence": "=1+1"}, "who": "=ann", "note": "", "created": "2026-01-01"}]
    steps.append({**steps[0], "step": {"do": "reject", "role": first, "keep": True}})
    files = bundle(tree, found, steps)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    assert recompute(tmp_path) == draft.given()
    changes = list(csv.reader(io.StringIO(files["changes.csv"].decode())))[1:]
    assert {tuple(row[:2]) for row in changes if row[2] == "lost"} == set(made_access.pairs()) - draft.given()
    assert {tuple(row[:2]) for row in changes if row[2] == "gained"} == draft.given() - set(made_access.pairs())
    assert b"'=ann" in files["steps.csv"] and b",'=1+1" in files["steps.csv"]  # no spreadsheet runs it
    with zipfile.ZipFile(io.BytesIO(zipped(files))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
    assert zipped(files) == zipped(files)


def test_the_decision_file_holds_the_last_word_on_every_role_and_entry(tree, tmp_path):
    first, second, third = keys(tree)[:3]
    entry = tree["exceptions"][0]
    decided = {"do": "decide", "status": "rejected", **{name: entry[name] for name in ("user", "permission", "kind")}}
    taken_steps = [
        {"do": "merge", "roles": [first, second]}, {"do": "accept", "role": first},
        {"do": "rename", "role": first, "name": "Clerks"}, {"do": "reject", "role": third, "keep": True}, decided,
    ]  # fmt: skip
    steps = [
        {"step": step, "cost": None, "who": f"p{i}", "note": f"n{i}", "created": f"2026-01-0{i + 1}T00:00:00+00:00"}
        for i, step in enumerate(taken_steps)
    ]
    draft, found = after(tree, *taken_steps)
    files = bundle(tree, found, steps)
    (tmp_path / "decisions.json").write_bytes(files["decisions.json"])
    kept = read_decisions(tmp_path / "decisions.json")
    held = {role["id"]: frozenset(role["permissions"]) for role in tree["roles"]}
    assert kept.by_id[first].permissions == held[first] | held[second] == draft.roles[first].permissions
    assert (kept.by_id[first].status, kept.by_id[first].name, kept.by_id[first].by) == ("accepted", "Clerks", "p2")
    assert (kept.by_id[second].status, kept.by_id[second].comment) == ("rejected", f"merged into {first}")
    assert (kept.by_id[third].status, kept.by_id[third].permissions) == ("rejected", held[third])
    made = kept.by_entry[entry["user"], entry["permission"]]
    assert (made.status, made.probability, made.peers) == ("rejected", entry["probability"], entry["peers"])
    assert [(one.by, one.comment) for one in kept.log] == [(f"p{i}", f"n{i}") for i in range(5)]
    assert files["roles.xlsx"][:2] == b"PK" and b"Clerks" in files["groups.scim.json"]
