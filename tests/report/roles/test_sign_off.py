"""The page for sign-off says what was decided and what is open; its fingerprint stands for exactly the content."""

import re

import pytest

from unmix.report.roles.sign_off import fingerprint, render
from unmix.roles import annotate, decide_exception, decide_role, explain, mine, review
from unmix.roles.explanation.document import document

HOSTILE = "</td><script>alert(1)</script>"
PAIRS = [(f"u{i}", p) for i in range(12) for p in ("mail", f"{'ab'[i % 2]}:run")] + [(HOSTILE, "mail"), ("u3", "safe")]


def reviewed(*steps, pairs=PAIRS):
    found = mine(pairs, min_users=2)
    tree, made = document(found, explain(found), source="access.csv", version="0"), review(found)
    for step in steps:
        made = step(made, tree)
    return annotate(tree, made)


def accept(role, **more):
    return lambda made, tree: decide_role(made, role, "accepted", by="ann", at="2026-01-05T09:00:00+00:00", **more)


def mend(made, tree):
    return decide_exception(made, tree["exceptions"][0], "rejected", by="bob", at="2026-01-06T09:00:00+00:00")


def words(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style).*?</\1>", " ", page, flags=re.S)))


def test_what_is_open_is_said_first():
    tree = reviewed(accept("R01", name=HOSTILE, description="What clerks need"))
    page = render(tree)
    n = len(tree["roles"]) - 1
    assert f"{n} role{'s' * (n > 1)} and 1 exception still need a decision" in words(page)
    assert "What clerks need" in page and "2026-01-05" in page and "<script>alert" not in page


def test_when_all_is_decided_it_says_so_and_what_follows():
    first = reviewed()
    ids = [role["id"] for role in first["roles"]]
    text = words(render(reviewed(*map(accept, ids), mend)))
    assert f"All {len(ids)} roles decided" in text and "revoke u3 safe" in text


@pytest.mark.parametrize("other", [(), (accept("R02"),), (accept("R01"), mend)])
def test_another_content_has_another_fingerprint(other):
    tree = reviewed(accept("R01"))
    assert fingerprint(tree) == fingerprint(reviewed(accept("R01"))) != fingerprint(reviewed(*other))
    assert fingerprint(tree) in render(tree)


def test_a_permission_more_has_another_fingerprint():
    assert fingerprint(reviewed()) != fingerprint(reviewed(pairs=[*PAIRS, ("u5", "safe")]))


def test_rejected_roles_that_are_still_there_are_pointed_out():
    page = render(reviewed(lambda made, tree: decide_role(made, "R01", "rejected", comment="no", by="ann")))
    assert "still hold roles that were rejected" in page and "Rejected roles" in page
