"""A roles.json is believed once every part of it has the kind it is used as."""

import json
import os

import pytest
from click.testing import CliRunner

from unmix.cli.main import main
from unmix.roles import RBAC, write_pairs
from unmix.roles.access.document_check import FORM, MORE, problem_of
from unmix.roles.access.folder import read_document

TREE = {
    "roles": [{"name": "R1 a", "permissions": ["a", "b"]}],
    "assignments": {"ann": ["R1 a"], "bob": []},
    "permissions": ["a", "b"],
    "direct": [["bob", "a"]],
    "lost": [],
    "gained": [],
    "birthright": [{"permission": "a", "holders": 2, "without": 0}],
    "exceptions": [{"user": "bob", "permission": "a", "reason": "x", "having": 1, "peers": 2}],
    "duties": [{"name": "d", "members": ["a", "b"], "most": 1, "over": "permissions"}],
    "conflicts": [{"user": "ann", "held": ["a", "b"], "rule": "d"}],
}


def test_a_whole_document_is_taken_and_older_ones_too():
    assert problem_of(TREE) is None
    assert problem_of({name: TREE[name] for name in FORM}) is None


@pytest.mark.parametrize("name", [*FORM, *MORE])
@pytest.mark.parametrize("value", [None, True, 3, "x", [3], [[]], [{}], {"x": 3}, [["a", "b", "c"]]])
def test_a_part_of_another_kind_is_refused(name, value):
    wrong = problem_of(TREE | {name: value})
    assert wrong is not None or (name, value) == ("permissions", [])


def test_roles_that_are_not_there_and_names_that_are_none_are_refused():
    assert "does not hold" in problem_of(TREE | {"assignments": {"ann": ["R2"]}})
    assert "one name each" in problem_of(TREE | {"roles": TREE["roles"] * 2})
    assert "one name each" in problem_of(TREE | {"roles": [{"name": " ", "permissions": []}], "assignments": {}})
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


class Unwritable:
    """A name that cannot be made text."""

    def __str__(self):
        raise ZeroDivisionError


def test_what_is_written_is_whole_or_as_before(tmp_path):
    made = RBAC([("ann", "R")], [("R", "a")])
    made.write(tmp_path / "out")
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    broken = RBAC([("ann", "R")], [("R", Unwritable())])
    with pytest.raises(ZeroDivisionError):
        broken.write(tmp_path / "out")
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before
    write_pairs([("ann", "a")], tmp_path / "pairs.csv")
    with pytest.raises(ZeroDivisionError):
        write_pairs([("ann", "a"), ("bob", Unwritable())], tmp_path / "pairs.csv")
    assert (tmp_path / "pairs.csv").read_text() == "user,permission\nann,a\n"
