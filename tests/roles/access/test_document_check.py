"""A roles.json is believed once every part of it has the kind it is used as."""

import json
import os

import pytest
from click.testing import CliRunner

from unmix.cli.main import main
from unmix.roles.access.document_check import FORM, problem_of
from unmix.roles.access.folder import read_document

CONFLICT = {"user": "ann", "held": ["a", "b"], "rule": "d", "causes": [{"from": "R1", "members": ["a"]}],
            "repair": [{"take": "a"}], "lost": 1}  # fmt: skip
TREE = {
    "roles": [{"name": "R1 a", "permissions": ["a", "b"]}],
    "assignments": {"ann": ["R1 a"], "bob": []},
    "permissions": ["a", "b"],
    "direct": [["bob", "a"]],
    "lost": [],
    "gained": [],
    "birthright": [{"permission": "a", "holders": 2, "without": 0}],
    "exceptions": [
        {"user": "bob", "permission": "a", "reason": "x", "having": 1, "peers": 2, "kind": "direct",
         "probability": 0.5, "risk": 1.0}
    ],
    "duties": [{"name": "d", "members": ["a", "b"], "most": 1, "over": "permissions"}],
    "conflicts": [CONFLICT],
    "conflicts_before": [CONFLICT],
    "repaired": [["ann", "a"]],
    "retired": ["R9"],
    "descriptions": {"a": "to read"},
    "user_attributes": {"ann": {"team": "x"}},
    "counts": {"users": 2, "permissions": 2, "grants": 3, "roles": 1, "assignments": 1, "role_permissions": 2,
               "direct": 1, "lost": 0, "gained": 0},
    "review": {
        "roles": {"accepted": 0, "changed": 0, "open": 1, "rejected": 0},
        "exceptions": {"accepted": 0, "rejected": 0, "open": 1},
        "rejected_roles": [], "gone": [], "settled": 0,
        "log": [{"at": "2026", "by": None, "what": "accepted", "on": "R1", "comment": None}],
    },
    "source": "access.csv",
    "version": "1",
    "certificate": "no smaller answer exists",
}  # fmt: skip
OPTIONAL = [name.removesuffix("?") for name in FORM if name.endswith("?")]


def test_a_whole_document_is_taken_and_older_ones_too():
    assert problem_of(TREE) is None
    assert problem_of({name: part for name, part in TREE.items() if name not in OPTIONAL}) is None
    assert set(TREE) == {name.removesuffix("?") for name in FORM}


def test_what_older_files_lack_is_told_by_the_rest(tmp_path):
    (tmp_path / "roles.json").write_text(json.dumps(TREE))
    role = read_document(tmp_path)["roles"][0]
    assert (role["id"], role["n_users"], role["description"]) == ("R1", 1, "")


@pytest.mark.parametrize("name", TREE)
@pytest.mark.parametrize("value", [None, True, 3, "x", [3], [[]], [{}], {"x": 3}, [["a", "b", "c"]]])
def test_a_part_of_another_kind_is_refused(name, value):
    wrong = problem_of(TREE | {name: value})
    text_may_stand = name in ("source", "version", "certificate") and (value == "x" or value is None)
    assert wrong is not None or (text_may_stand and (name, value) != ("certificate", None))


def test_roles_that_are_not_there_and_names_that_are_none_are_refused():
    assert "does not hold" in problem_of(TREE | {"assignments": {"ann": ["R2"]}})
    assert "one name and id each" in problem_of(TREE | {"roles": TREE["roles"] * 2})
    assert "one name and id each" in problem_of(TREE | {"roles": [{"name": " ", "permissions": []}], "assignments": {}})
    two = [{"id": "R1", "name": name, "permissions": ["a"]} for name in ("R1 a", "R1 b")]
    assert "one name and id each" in problem_of(TREE | {"roles": two})
    assert "counts" in problem_of(TREE | {"lost": [["ann", "a"]]})
    assert "exceptions" not in (problem_of(TREE | {"exceptions": []}) or "")
    assert "probability" in problem_of(TREE | {"exceptions": [TREE["exceptions"][0] | {"probability": float("inf")}]})
    assert "having" in problem_of(TREE | {"exceptions": [TREE["exceptions"][0] | {"having": 10**400}]})
    assert "kind" in problem_of(TREE | {"exceptions": [TREE["exceptions"][0] | {"kind": "other"}]})
    assert "over neither" in problem_of(TREE | {"duties": [TREE["duties"][0] | {"over": "x"}]})
    assert "named parts" in problem_of([])


@pytest.mark.parametrize("text", ["", "null", "[" * 100_000, "NaN", json.dumps({"roles": 1})])
def test_the_command_says_so_in_one_sentence(tmp_path, text):
    (tmp_path / "roles.json").write_text(text)
    done = CliRunner().invoke(main, ["roles", "why", str(tmp_path), "ann", "a"])
    assert done.exit_code == 2 and "does not hold mined roles" in done.stderr and done.stderr.count("\n") == 1


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "roles.json")
    with pytest.raises(ValueError, match=r"holds no roles\.json"):
        read_document(tmp_path)
