"""One grant explained: by role, single, missing, in conflict."""

import pytest

from unmix.roles import explain, make_duty, mine
from unmix.roles.explanation.document import document
from unmix.roles.explanation.why import why


@pytest.fixture(scope="module")
def tree():
    pairs = [(user, p) for user in ("ann", "bob", "joe") for p in ("pay:create", "mail")] + [("ann", "pay:approve")]
    found = mine(pairs, min_users=2)
    return document(found, explain(found), duties=[make_duty(["pay:create", "pay:approve"])])


def test_by_a_role_with_its_users(tree):
    lines = why(tree, "bob", "mail")
    assert lines[0] == "bob has mail." and "ann, joe also have" in lines[1]


def test_a_single_grant_in_conflict(tree):
    text = " ".join(why(tree, "ann", "pay:approve"))
    assert "single grant" in text and "part of a conflict: pay:approve and pay:create" in text


def test_what_somebody_lacks(tree):
    assert why(tree, "joe", "pay:approve")[0] == "joe does not have pay:approve."


def test_misspelt_names_are_asked_back(tree):
    with pytest.raises(ValueError, match="did you mean 'pay:approve'"):
        why(tree, "ann", "pay:aprove")
    with pytest.raises(ValueError, match="no user named 'zoe'"):
        why(tree, "zoe", "mail")


def test_of_many_roles_the_first_are_named():
    pairs = [(f"u{i}", p) for i in range(6) for p in (f"own{i}", "shared")] + [("eve", "mail")]
    found = mine(pairs)
    line = why(document(found, explain(found)), "eve", "shared")[1]
    assert line.count("R0") == 4 and line.endswith("and 2 more.")
