"""A real browser for the pages. Needs playwright and a Chromium on the path; skips where there is none."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.report.looks import DESKTOP


@pytest.fixture(scope="module")
def browser() -> Iterator:
    playwright = pytest.importorskip("playwright.sync_api", reason="the playwright package is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium on the path")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium, args=["--autoplay-policy=no-user-gesture-required"])
        yield running
        running.close()


@pytest.fixture
def look(browser) -> Iterator[Callable]:
    """Opens a file as a page; at the end no error, no warning and no request but for the file itself is allowed.

    With ``sounds`` the page may also load what it carries in itself.
    """
    contexts, complaints, refused = [], [], []

    def open_page(path: Path, *, sounds: bool = False, **options):
        own = (path.as_uri(), "data:") if sounds else (path.as_uri(),)

        def record(route) -> None:
            if route.request.url.startswith(own):
                route.continue_()
            else:
                refused.append(route.request.url)
                route.abort()

        context = browser.new_context(**{"viewport": DESKTOP, "accept_downloads": True} | options)
        contexts.append(context)
        context.route("**/*", record)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    assert refused == []
