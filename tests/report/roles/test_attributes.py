"""What attributes say stands on both pages, in the numbers counted by hand, and under the names that were given."""

import pytest

from tests.report.roles.test_page import HOSTILE
from tests.report.roles.test_sign_off import words
from tests.report.seen import Seen
from unmix.cli.roles.lines import by_attribute
from unmix.report.roles import page, sign_off
from unmix.roles import Access, annotate, decide_role, explain, mine, name_roles, review
from unmix.roles.explanation.document import document

RED = f"Red {HOSTILE}"


def company(team=RED):
    """Eighty users in two teams of four permissions each; u8 of the first has those of the second."""
    who = {f"u{i}": {"team": [team, "Blue"][i % 2]} for i in range(80)}
    pairs = [(f"u{i}", f"{'rb'[i % 2 or i == 8]}{k}") for i in range(80) for k in range(4)]
    return Access.of_pairs(pairs, user_attributes=who)


def pages(access):
    found = name_roles(mine(access))
    made = decide_role(review(found), "R02", "accepted", name="Night shift", by="ann")
    tree = document(found, explain(found), source="access.csv")
    return tree, page.render(tree), sign_off.render(annotate(tree, made))


@pytest.mark.parametrize("k", [1, 2])
def test_rules_birthright_and_misfits_are_on_the_page(k):
    text = words(pages(company("Red"))[k])
    assert "2 roles of 2 can be given by a rule" in text
    assert "team Red 95 % 39 of 40 98 % 39 of 39" in text  # (39 + 2 · 39/80) / (40 + 2), (39 + 2 · 40/80) / (39 + 2)
    assert "team Blue 98 % 40 of 40 95 % 40 of 41" in text  # u8 holds it too
    assert "team Red r0, r1, r2, r3 39 of 40 0 %" in text
    assert "team Blue b0, b1, b2, b3 40 of 40 2 %" in text  # one of the forty others
    assert "u8 team Blue lacks R01" in text


def test_attributes_stay_text():
    for text in pages(company())[1:]:
        assert "img" not in Seen(text).tags


def test_without_attributes_there_is_no_such_part():
    plain = Access.of_pairs(company().pairs())
    assert not any("By attributes" in text for text in pages(plain)[1:])


def test_names_that_were_given_stand_in_rules_and_reasons():
    access = company("Red")
    tree = pages(access)[0]
    found = annotate(tree, decide_role(review(name_roles(mine(access))), "R02", name="Night shift", by="ann"))
    assert [rule["sentence"].partition(":")[0] for rule in found["rules"]].count("R02 Night shift") == 1
    assert {rule["role"] for rule in found["rules"]} == {role["name"] for role in found["roles"]}
    (odd,) = found["attribute_misfits"]
    old = next(role["name"] for role in tree["roles"] if role["id"] == "R02")
    assert old not in odd["reason"] and ("R02 Night shift" in odd["reason"]) == ("R02 Night shift" in odd["holds"])


def test_a_condition_that_is_seldom_right_is_no_rule():
    tree = pages(company("Red"))[0]
    tree["rules"][1].update(precision=0.04)
    text = words(page.render(tree))
    assert "1 role of 2 can be given by a rule" in text and "1 more is only less rare among some users" in text
    tree["rules"][0].update(precision=0.04)
    assert "can be given by a rule" not in words(page.render(tree))
    assert not by_attribute({**tree, "attribute_misfits": []})
