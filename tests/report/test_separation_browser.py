"""The page of separated sources in a real browser: quiet, offline, in both themes, on a phone, and heard.

Needs a Chromium on the path; skips where there is none.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.report.test_separation_page import HOSTILE, separated
from unmix.report.separation_page import write

playwright = pytest.importorskip("playwright.sync_api", reason="the playwright package is not installed")

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium on the path")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium, args=["--autoplay-policy=no-user-gesture-required"])
        yield running
        running.close()


@pytest.fixture
def view(browser, tmp_path: Path) -> Iterator[Callable]:
    """Opens a separation as a page; at the end no complaint and no request but for the file and its own data."""
    contexts, complaints, requests = [], [], []

    def record(route) -> None:
        requests.append(route.request.url)
        if route.request.url.startswith(("file:", "data:")):
            route.continue_()
        else:
            route.abort()

    def look(made, **options):
        path = write(*made, tmp_path / "report.html")
        context = browser.new_context(**{"viewport": DESKTOP} | options)
        contexts.append(context)
        context.route("**/*", record)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield look
    for context in contexts:
        context.close()
    assert complaints == []
    assert [url[:60] for url in requests if not url.endswith("/report.html") and not url.startswith("data:")] == []


def background(page) -> list[int]:
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return [int(float(part)) for part in colour[4:-1].split(",")]


LONG = separated(names=("x" * 300, HOSTILE))


@pytest.mark.parametrize(
    "made", [separated(), separated(audio=False, rate=None, gap=True), LONG], ids=["sound", "gap", "long"]
)
def test_no_sideways_scrolling_and_words_for_every_picture(view: Callable, made: tuple) -> None:
    page = view(made, viewport=PHONE)
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    for width in (320, 390, 760, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
    bare = "svg:not([aria-hidden=true]):not([role=img][aria-label]), audio:not([aria-label]), table:not(:has(caption))"
    assert page.locator(bare).count() == 0
    assert page.evaluate("window.hacked") is None


def test_dark_by_system_and_by_button(view: Callable) -> None:
    light, dark = view(separated()), view(separated(), color_scheme="dark")
    assert min(background(light)) > 230
    assert max(background(dark)) < 40
    light.locator("button.theme").press("Enter")
    assert max(background(light)) < 40


def test_sound_loads_from_the_page_itself_and_one_plays_at_a_time(view: Callable) -> None:
    page = view(separated(n=16_000))
    page.wait_for_function("[...document.querySelectorAll('audio')].every((a) => a.readyState > 0)")
    assert page.evaluate("[...document.querySelectorAll('audio')].map((a) => a.duration)") == [2, 2, 2, 2]
    playing = "[...document.querySelectorAll('audio')].map((a) => !a.paused)"
    page.evaluate("document.querySelectorAll('audio')[0].play()")
    page.wait_for_function("!document.querySelectorAll('audio')[0].paused")
    picture = page.locator(".trace").nth(3)
    picture.click(position={"x": picture.bounding_box()["width"] / 2, "y": 20})
    page.wait_for_function("!document.querySelectorAll('audio')[3].paused")
    assert page.evaluate(playing) == [False, False, False, True]
    assert page.evaluate("document.querySelectorAll('audio')[3].currentTime") >= 0.9
    assert picture.locator(".playhead").get_attribute("visibility") == "visible"


def test_without_script_everything_is_there(view: Callable) -> None:
    page = view(separated(), java_script_enabled=False)
    assert page.locator("h1").inner_text() == "2 sources from 2 channels"
    assert page.locator("audio").count() == 4
    assert page.locator(".source-card .chart").count() == 6
    assert page.locator("button:visible").count() == 0
