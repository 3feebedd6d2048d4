"""The page of what estimators take says what happens when they are tried."""

import pytest

from tests.input.page import PAGE, REASONS, as_markdown, put_into, reason, tried
from tests.input.table import ESTIMATORS, FORMS

pytestmark = [pytest.mark.slow_without_jit, pytest.mark.xdist_group("input")]


@pytest.fixture(scope="module")
def found():
    return tried()


def test_every_refusal_has_a_reason(found):
    refused = {(name, form) for name in ESTIMATORS for form in FORMS if found[name][form] == "no"}
    assert {pair for pair in refused if reason(*pair) is None} == set()
    written = {(name, form) for form, names in REASONS.items() for name in names if name != "OTHERS"}
    assert written <= refused, "a reason is given for what is taken"


def test_the_page_is_that_of_today(found):
    page = PAGE.read_text(encoding="utf-8")
    assert put_into(page, as_markdown(found)) == page, "the page is stale: run `python -m tests.input.page`"
