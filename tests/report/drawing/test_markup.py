"""Whatever is not markup already comes out as text, in content and in attributes."""

import re

import pytest

from tests.report.seen import Seen
from unmix.report.drawing.markup import Markup, element, join, table, text

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "a\" onload='x'",
    "&lt;",
    "\x00\ud800\x1b[31m",
]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_parser_gets_the_text_back_and_no_tag(hostile: str) -> None:
    seen = Seen(element("p", hostile, title=hostile, data_name=hostile))
    kept = re.sub(r"[\x00\x1b\ud800]", "\N{REPLACEMENT CHARACTER}", hostile)
    assert seen.tags == ["p"]
    assert seen.content == kept
    assert seen.attributes == {"title": kept, "data-name": kept}
    element("p", hostile).encode("utf-8")


def test_markup_passes_lists_are_flattened_none_is_skipped() -> None:
    assert element("ul", [element("li", n) for n in (1, 2)], None) == "<ul><li>1</li><li>2</li></ul>"
    assert join([Markup("<b>"), "<b>"], " ") == "<b> &lt;b&gt;"
    assert text(element("br")) == "<br>"


def test_attributes_by_value() -> None:
    assert element("p", hidden=True, id=None, class_="a", aria_label="b", x=1 / 3) == (
        '<p hidden class="a" aria-label="b" x="0.33333"></p>'
    )


def test_a_table_has_caption_and_headers() -> None:
    page = table("Sizes", ["Name", "n"], [["<a>", 3]])
    assert "<caption>Sizes</caption>" in page
    assert '<th scope="row">&lt;a&gt;</th><td>3</td>' in page
    assert page.count('scope="col"') == 2
