"""The studio in a real browser, from the first file to the comparison: quiet, on this machine alone, for everybody.

Needs a Chromium on the path; skips where there is none.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest

from tests.report.conftest import browser  # noqa: F401
from tests.report.looks import DESKTOP, widest_overflow
from tests.report.test_access import AXE
from tests.studio.conftest import two_groups
from tests.studio.held import Hold
from tests.studio.server import Server
from unmix.studio.store.upload import MOST_UPLOAD

pytestmark = [pytest.mark.long, pytest.mark.slow_without_jit]
LONG = 240_000  # milliseconds; a loaded machine starts processes slowly


@pytest.fixture
def tabs(browser) -> Iterator[Callable]:  # noqa: F811
    """Opens a browser of its own at a studio's link; at the end nobody complained and nobody was asked elsewhere.

    A page that was just reached is waited for ("load") before its buttons are pressed: then its scripts have run.
    """
    contexts, complaints, strangers = [], [], []

    def open_tab(server: Server, **options):
        context = browser.new_context(**{"viewport": DESKTOP, "accept_downloads": True} | options)
        context.set_default_timeout(LONG)
        contexts.append(context)
        context.on("request", lambda asked: strangers.append(asked.url) if not own(asked.url, server) else None)
        context.on("page", lambda page: listen(page))
        page = context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(server.link)
        return page

    def own(address: str, server: Server) -> bool:
        return address.startswith((f"{server.own}/", "data:", "blob:"))

    def listen(page) -> None:
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))

    yield open_tab
    for context in contexts:
        context.close()
    assert strangers == []
    assert [
        words for words in complaints if "ERR_CONNECTION_REFUSED" not in words and "ERR_INCOMPLETE" not in words
    ] == []


def ready(page) -> None:
    page.wait_for_selector("#columns:not([aria-busy])")
    page.wait_for_selector("#start:enabled")


def finished(page) -> None:
    page.wait_for_selector("canvas")


def place_at_rest(picture) -> dict:
    """Where a picture is once it is in view; the page's own scrolling is smooth, and a mouse would miss what moves."""
    picture.evaluate("one => one.scrollIntoView({ behavior: 'instant', block: 'center' })")
    return picture.bounding_box()


def lasso(page) -> None:
    """Around the left half of the map."""
    page.locator(".lasso").click()
    box = place_at_rest(page.locator("#map canvas"))
    corners = [(0.01, 0.01), (0.5, 0.01), (0.5, 0.99), (0.01, 0.99)]
    x, y = ([box["x"] + box["width"] * a for a, _ in corners], [box["y"] + box["height"] * b for _, b in corners])
    page.mouse.move(x[0], y[0])
    page.mouse.down()
    for i in (1, 2, 3):
        page.mouse.move(x[i], y[i], steps=4)
    page.mouse.up()


def test_from_a_file_to_a_comparison(tabs, tmp_path: Path) -> None:
    hold = Hold(tmp_path / "hold")
    server = Server(tmp_path / "studio", path=hold.path)
    page = tabs(server)
    path = tmp_path / "table.csv"
    path.write_bytes(two_groups())
    try:
        # What is too large is refused before it is sent; a file comes in, a column is switched, the address says so.
        (tmp_path / "large.csv").touch()
        os.truncate(tmp_path / "large.csv", MOST_UPLOAD + 1)
        page.wait_for_load_state("load")
        page.set_input_files("#file", tmp_path / "large.csv")
        page.locator("#told.wrong", has_text="at most 1 GB").wait_for()
        page.set_input_files("#file", path)
        page.wait_for_url("**/tables/*")
        page.locator("[data-role=name]").select_option("id")
        ready(page)
        page.locator("[data-type=width]").select_option("category")
        page.wait_for_selector(".wrong, .notice, #columns:not([aria-busy])")
        page.locator("[data-type=width]").select_option("")
        ready(page)
        assert page.url.endswith("?id=name")
        assert page.locator("#reproduce code").first.inner_text() == "unmix explore table.csv --seed 0 --id name"
        # What cannot be meant is said beside the button, and nobody is asked.
        for wrong in ("-1", "2.5", "99999999999"):
            page.fill("#k", wrong)
            page.locator("#k").blur()
            assert page.locator("#ready").inner_text().startswith("Number of clusters: ")
            assert page.locator("#start").is_disabled() and page.url.endswith("?id=name")
        page.fill("#k", "")
        page.locator("#k").blur()
        ready(page)
        # A run is started, cancelled, and started again; a second tab sees the same.
        hold.before_opening("table.csv")
        page.locator("#start").click()
        page.wait_for_url("**/runs/*")
        hold.reached()
        page.get_by_role("button", name="Cancel").click()
        page.get_by_role("heading", name="The run was cancelled").wait_for()
        hold.release()
        page.wait_for_load_state("load")
        page.get_by_role("button", name=re.compile("Resume|Run again")).click()
        page.wait_for_selector("#progress, canvas")  # a run of a small table may be over by now
        other = page.context.new_page()
        other.goto(page.url)
        finished(page)
        finished(other)
        assert other.locator("h1").inner_text() == page.locator("h1").inner_text()
        other.close()
        # Another number of clusters, a lasso, a group: its rows are those that were drawn around, as they stand.
        run = page.url
        page.locator("#dock input[value='3']").check(force=True)
        assert page.url == f"{run}?k=3"
        page.locator(".clear").click()
        # The temperature falls, and groups split, in their colours; the address holds how far it is.
        page.locator(".colour-by").select_option(label="kind")
        page.locator("#follow").click()
        page.wait_for_selector("#kelvin:enabled")
        assert page.locator(".colour-by").input_value() == ""
        assert page.locator("#kelvin-is").inner_text().endswith("one group")
        page.locator("#kelvin").press("End")
        assert page.url == f"{run}?cooled=300"
        assert page.locator("#kelvin-is").inner_text().endswith("10 groups")
        assert page.locator(".legend .key").count() == 10
        page.locator(".clear").click()
        assert page.url == run and page.locator(".legend .key").count() == 2
        lasso(page)
        words = page.locator("#keep").inner_text()
        chosen = int(words.split()[1])
        assert 0 < chosen < 60
        address = page.url
        page.fill("#make-group [name=name]", "left <b>half</b>")
        page.locator("#keep").click()
        page.locator("#group-list li").wait_for()
        page.wait_for_load_state("load")
        assert page.locator("#group-list b").count() == 0
        page.locator("[data-rename]").fill("the left half")
        with page.expect_response("**/api/groups/*"):
            page.locator("[data-rename]").blur()
        with page.expect_download() as download:
            page.get_by_text("Export CSV").click()
        exported = pl.read_csv(download.value.path())
        assert exported["group"].unique().to_list() == ["the left half"] and len(exported) == chosen
        table = pl.read_csv(path)
        assert exported["height"].to_list() == table["height"].gather(exported["row"] - 1).to_list()
        # What is chosen stands in the address: opened again, the same rows are chosen.
        again = page.context.new_page()
        again.goto(address)
        assert again.locator("#keep").inner_text() == words
        again.close()
        # A second run without a column, and what became of the verdict.
        page.get_by_role("link", name="Settings").click()
        page.locator("[data-role=kind]").select_option("drop")
        ready(page)
        page.locator("#start").click()
        page.wait_for_url("**/runs/*")
        finished(page)
        page.get_by_role("link", name="unmix", exact=True).click()
        page.wait_for_selector("#compare")
        page.wait_for_load_state("load")
        for box in page.locator("input[name=run]:enabled").all():
            box.check()
        page.locator("#compare").click()
        page.wait_for_url("**/compare?*")
        assert "The verdict survived" in page.locator("h1").inner_text()
        assert page.locator("#settings td").all_inner_texts() == ["–", "kind"]
        table_page = f"{server.own}/tables/{table_of(tmp_path)}"
        for address in (server.own, table_page, run, page.url, f"{table_page}?use=none"):
            looked_at(page.context, address)
        # The server is killed while a run goes on, and started again: the run says so, and is run to its end.
        hold.before_opening("table.csv")
        page.goto(f"{server.own}/tables/{table_of(tmp_path)}?seed=5")
        page.locator("#start").click()
        hold.reached()
        page.locator("#words", has_text="starting").wait_for()
        going = page.url.removeprefix(server.own)
        server.kill()
        hold.release()
        server = Server(tmp_path / "studio", "--port", str(server.port))
        page.goto(server.link)
        page.goto(server.own + going)
        page.get_by_role("button", name=re.compile("Resume|Run again")).click()
        finished(page)
    finally:
        server.stop()


def table_of(folder: Path) -> str:
    return next((folder / "studio" / "tables").iterdir()).name


def looked_at(context, address: str, prepare: Callable = lambda page: None) -> None:
    """Nothing scrolls sideways at any width; axe-core, where it is at hand, finds nothing serious in either theme."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_load_state("load")
    prepare(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        if AXE is not None:
            page.evaluate(AXE.read_text(encoding="utf-8"))
            page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            found = page.evaluate("axe.run().then((result) => result.violations)")
            serious = [
                (one["id"], [node["html"][:160] for node in one["nodes"][:3]])
                for one in found
                if one["impact"] in ("serious", "critical")
            ]
            assert serious == [], address
    assert widest_overflow(page) <= 0, address
    page.close()
