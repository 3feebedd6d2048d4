"""The page for those who come from scikit-learn says what the classes are today, with a reason for every difference."""

import pytest

from tests.scikit_learn.page import PAGE, differences, put_into, reasons
from tests.scikit_learn.rewritten import SHARED

pytestmark = pytest.mark.slow_without_jit


@pytest.mark.parametrize("name", SHARED)
def test_every_difference_has_a_reason(name):
    assert set(reasons().get(name, {})) == set(differences(name))


def test_the_page_is_that_of_today():
    page = PAGE.read_text(encoding="utf-8")
    assert put_into(page) == page, "the page is stale: run `python -m tests.scikit_learn.page`"
