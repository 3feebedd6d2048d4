"""The page of separated sources in a real browser: quiet, offline, in both themes, on a phone, and heard.

Needs a Chromium on the path; skips where there is none.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.report.looks import PHONE, background, widest_overflow
from tests.report.separation.test_page import HOSTILE, separated
from unmix.report.separation.page import write


@pytest.fixture
def view(look: Callable, tmp_path: Path) -> Callable:
    """Opens a separation as a page."""
    return lambda made, **options: look(write(*made, tmp_path / "report.html"), sounds=True, **options)


LONG = separated(names=("x" * 300, HOSTILE))


@pytest.mark.parametrize(
    "made", [separated(), separated(audio=False, rate=None, gap=True), LONG], ids=["sound", "gap", "long"]
)
def test_no_sideways_scrolling_and_words_for_every_picture(view: Callable, made: tuple) -> None:
    page = view(made, viewport=PHONE)
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert widest_overflow(page) <= 0
    bare = "svg:not([aria-hidden=true]):not([role=img][aria-label]), audio:not([aria-label]), table:not(:has(caption))"
    assert page.locator(bare).count() == 0
    assert page.evaluate("window.hacked") is None


def test_dark_by_system_and_by_button(view: Callable) -> None:
    light, dark = view(separated()), view(separated(), color_scheme="dark")
    assert min(background(light)) > 230
    assert max(background(dark)) < 40
    light.locator("button.theme").press("Enter")
    assert max(background(light)) < 40


def until(page: Any, expression: str) -> None:
    """Ask from here again and again: the page's policy lets nothing in it evaluate a string."""
    for _ in range(300):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"not in thirty seconds: {expression}")


def test_sound_loads_from_the_page_itself_and_one_plays_at_a_time(view: Callable) -> None:
    page = view(separated(n=16_000))
    until(page, "[...document.querySelectorAll('audio')].every((a) => a.readyState > 0)")
    assert page.evaluate("[...document.querySelectorAll('audio')].map((a) => a.duration)") == [2, 2, 2, 2]
    playing = "[...document.querySelectorAll('audio')].map((a) => !a.paused).join()"
    page.evaluate("document.querySelectorAll('audio')[0].play()")
    until(page, "!document.querySelectorAll('audio')[0].paused")
    picture = page.locator(".trace").nth(3)
    picture.click(position={"x": picture.bounding_box()["width"] / 2, "y": 20})
    until(page, f"{playing} === 'false,false,false,true'")
    assert page.evaluate("document.querySelectorAll('audio')[3].currentTime") >= 0.9
    assert picture.locator(".playhead").get_attribute("visibility") == "visible"


def test_without_script_everything_is_there(view: Callable) -> None:
    page = view(separated(), java_script_enabled=False)
    assert page.locator("h1").inner_text() == "2 sources from 2 channels"
    assert page.locator("audio").count() == 4
    assert page.locator(".source-card .chart").count() == 6
    assert page.locator("button:visible").count() == 0
