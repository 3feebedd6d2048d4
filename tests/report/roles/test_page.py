"""The page of mined roles without a browser: escaped, complete in itself, the same every time, roles as blocks."""

import json
import re

import numpy as np
import pytest

from tests.report.seen import Seen
from unmix.report.policy import digest
from unmix.report.roles.exceptions import role_exceptions
from unmix.report.roles.matrix import matrix
from unmix.report.roles.page import render, write
from unmix.roles import explain, mine, name_roles
from unmix.roles.explanation.document import document, given_pairs, held_pairs

HOSTILE = '</script><img src=x onerror="window.hacked=1">\u2028&amp;'


def tree(pairs, problem="cover", **options):
    found = name_roles(mine(pairs, problem, **options))
    return document(found, explain(found), source="access.csv", command="unmix roles access.csv", version="1")


def random_pairs(seed=0, n=30, d=12):
    rng = np.random.default_rng(seed)
    return [(f"u{i}", f"p{j}") for i, j in np.argwhere(rng.random((n, d)) < 0.3)]


def embedded(page):
    return json.loads(re.search(r'id="findings">(.*?)</script>', page, flags=re.DOTALL)[1])


@pytest.mark.parametrize("problem", ["cover", "fewest"])
def test_the_picture_holds_every_grant(problem):
    """Runs, multiplied out again, are the data: beside the roles -1, added by them -2."""
    answer = tree(random_pairs(), problem, **({"n_roles": 4} if problem == "fewest" else {}))
    drawn = embedded(render(answer))["matrix"]
    seen = {True: set(), False: set()}
    for user, row in zip(drawn["users"], drawn["rows"]):
        for start, length, value in row:
            seen[value != -2] |= {(user, drawn["permissions"][j]) for j in range(start, start + length)}
    assert seen[True] == held_pairs(answer) == set(random_pairs())
    assert seen[False] == {tuple(pair) for pair in answer["gained"]}
    assert given_pairs(answer) - held_pairs(answer) == seen[False]


def test_roles_form_blocks():
    pairs = [(f"u{i}", f"p{j}") for i in range(12) for j in range(9) if i % 3 == j % 3]
    drawn = matrix(tree(pairs))
    assert all(len(row) == 1 and row[0][1] == 3 for row in drawn["rows"])
    colours = [row[0][2] for row in drawn["rows"]]
    assert len([k for k in range(1, 12) if colours[k] != colours[k - 1]]) == 2


def test_hostile_names_stay_text():
    pairs = [(f"{HOSTILE}{i}", f"{HOSTILE}p{j}") for i in range(6) for j in range(i + 1)]
    answer = tree(pairs)
    answer.update(source=HOSTILE, command=HOSTILE, problems=[HOSTILE])
    page = render(answer)
    assert "<img" not in page
    assert "\u2028" not in page.partition('id="findings">')[2]
    seen = Seen(page)
    assert "img" not in seen.tags
    assert "onerror" not in seen.attributes
    assert embedded(page)["matrix"]["users"][0].startswith(HOSTILE)


def test_nothing_is_fetched_and_only_own_scripts_run():
    page = render(tree(random_pairs()))
    seen = Seen(page)
    assert all(address.startswith(("#", "data:")) for address in seen.addresses)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert "style" not in seen.attributes
    for kind in ("script", "style"):
        for block in re.findall(rf"<{kind}>(.*?)</{kind}>", page, flags=re.DOTALL):
            assert digest(block) in page.replace("&#x27;", "'")


def test_the_same_roles_give_the_same_bytes(tmp_path):
    answer = tree(random_pairs())
    assert write(answer, tmp_path / "page.html").read_text("utf-8") == render(tree(random_pairs()))


def test_the_promise():
    assert "Nobody gains or loses a permission. Proven" in render(tree(random_pairs()))
    deviating = render(tree(random_pairs(), "fewest", n_roles=3))
    assert "would be taken away" in deviating
    assert "Nobody gains" not in deviating


@pytest.mark.parametrize("pairs", [[("a", "x")], [("a", "x"), ("b", "x")]])
def test_tiny_data(pairs):
    assert "1 role for" in render(tree(pairs))


def test_curves_are_there_where_there_are_numbers():
    answer = tree(random_pairs())
    assert "Few roles explain most" in render(answer)
    assert "New users" not in render(answer)
    answer["tried"] = [{"n_roles": k, "error": 0.3 / k, "over": 0.1 / k, "under": 0.2 / k} for k in (1, 2, 3)]
    assert "New users" in render(answer)


def test_users_who_fit_no_role_are_not_said_to_share_one():
    outlier = {"user": "eve", "grants": 1, "explained": 0, "reason": "alone"}
    told = str(role_exceptions({"exceptions": [], "outliers": [outlier]}))
    assert "No single grant stands out" in told and "several users share" not in told
    assert "several users share" in str(role_exceptions({"exceptions": [], "outliers": []}))
