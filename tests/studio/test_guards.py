"""The list of guards that are taken away, one at a time, by `python -m tests.studio.guards`: each still stands."""

import ast

import pytest

from tests.studio.guards import GUARDS, ROOT, without


@pytest.mark.parametrize("name", GUARDS)
def test_a_guard_stands_where_the_list_says_and_can_be_taken_away(name):
    taken = GUARDS[name]
    source = (ROOT / "src" / "unmix" / taken.file).read_text(encoding="utf-8")
    ast.parse(without(source, taken))
    assert all((ROOT / f"tests/studio/test_{test}.py").is_file() for test in taken.tests.split(" or "))
