"""Roles and signals in a real browser: from the file to the export, by buttons, by keyboard, in both themes."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.report.conftest import browser  # noqa: F401
from tests.studio import made_access
from tests.studio.server import Server
from tests.studio.test_browser import looked_at, tabs  # noqa: F401
from tests.studio.test_signals_workspace import as_wave

pytestmark = [pytest.mark.long, pytest.mark.slow_without_jit]


def brought(page, server: Server, path: Path, content: bytes) -> str:
    """A file dropped on the first page; the address of its own page."""
    path.write_bytes(content)
    page.goto(f"{server.own}/")
    page.wait_for_load_state("load")
    page.set_input_files("#file", path)
    page.wait_for_url("**/tables/*") if path.suffix == ".csv" else page.wait_for_url("**/signals")
    return page.url.removesuffix("/signals")


def taken(page, n: int) -> None:
    """The page shows so many steps, and its script is ready for the next."""
    page.locator(f".steps li:nth-child({n})").wait_for()
    page.locator(".steps li").nth(n).wait_for(state="detached")
    page.wait_for_load_state("load")


def test_roles_from_the_file_to_the_review(tabs, tmp_path: Path) -> None:  # noqa: F811
    server = Server(tmp_path / "studio")
    page = tabs(server)
    try:
        brought(page, server, tmp_path / "users.csv", made_access.users())
        table = brought(page, server, tmp_path / "access.csv", made_access.as_csv())
        page.get_by_role("link", name="Roles", exact=True).click()
        page.wait_for_url("**/roles")
        page.wait_for_load_state("load")
        # Another file and a pair that nobody may hold; the address and the command say so.
        page.locator("#attributes").select_option(label="users.csv")
        page.locator("#reproduce code", has_text="--attributes users.csv").wait_for()
        pair = page.locator(".pair").first.locator("input")
        pair.nth(0).fill("pay:create")
        pair.nth(1).fill("pay:approve")
        pair.nth(1).blur()
        page.locator("#reproduce code", has_text="--forbid pay:create pay:approve").wait_for()
        page.locator("#start:enabled").click()
        page.wait_for_url("**/runs/*")
        page.locator(".access canvas").wait_for()
        page.wait_for_load_state("load")
        run = page.url
        # A merge: its cost first, left, thought of again, and taken with a reason.
        cards = page.locator(".roles .card")
        n = cards.count()
        for i in (0, 1):
            cards.nth(i).locator("[name=role]").check()
        page.locator("#merge").click()
        page.locator("#step-costs", has_text="to manage").wait_for()
        page.keyboard.press("Escape")
        page.locator("#step").wait_for(state="hidden")
        page.locator("#merge").click()
        cost = page.locator("#step-costs").inner_text()
        page.fill("#who", "ann <b>auditor</b>")
        page.fill("#note", "one team")
        page.locator("#do").click()
        taken(page, 1)
        assert cards.count() == n - 1
        assert page.locator(".steps li").first.inner_text().count(cost) == 1
        assert page.locator(".steps b").count() == 0
        # Accept, rename, split, reject, decide; a second tab sees the same.
        cards.first.get_by_role("button", name="Accept").click()
        taken(page, 2)
        cards.first.locator("summary", has_text="Rename").click()
        cards.first.locator("[name=name]").fill("Everything <i>shared</i>")
        cards.first.locator("[data-do=rename]").click()
        taken(page, 3)
        cards.first.locator("summary", has_text="Split").click()
        cards.first.locator("[name=permission]").first.check()
        cards.first.locator("[name=part]").fill("A part")
        cards.first.locator("[data-do=split]").click()
        page.locator("#do").click()
        taken(page, 4)
        assert cards.count() == n
        page.locator("[data-why]").first.click()
        page.locator(".reason").first.wait_for()
        page.locator(".entries [data-do=decide]").first.click()
        taken(page, 5)
        page.locator("#undo").click()
        taken(page, 4)
        other = page.context.new_page()
        other.goto(run)
        assert other.locator(".steps li").count() == 4
        other.close()
        # The result: what was decided, by whom, and the same as the steps gave.
        with page.expect_download() as download:
            page.get_by_role("link", name="review.zip").click()
        with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
            steps = pl.read_csv(archive.read("steps.csv"))
            tree = json.loads(archive.read("roles.json"))
        assert steps["what"].to_list() == ["merge", "accept", "rename", "split"]
        assert set(steps["who"]) == {"ann <b>auditor</b>"} and steps["cost"][0] == cost
        assert {"Everything <i>shared</i>", "A part"} <= {role["name"] for role in tree["roles"]}
        # A server that is killed keeps every step.
        server.kill()
        server = Server(tmp_path / "studio", "--port", str(server.port))
        page.goto(server.link)
        page.goto(run)
        assert page.locator(".steps li").count() == 4
        for address in (f"{table}/roles", f"{table}/roles?n_roles=0", run, server.own):
            looked_at(page.context, address)
    finally:
        server.stop()


def test_signals_from_the_file_to_the_remix(tabs, tmp_path: Path) -> None:  # noqa: F811
    server = Server(tmp_path / "studio")
    page = tabs(server)
    try:
        table = brought(page, server, tmp_path / "room.wav", as_wave())
        page.wait_for_load_state("load")
        page.locator("#method").select_option("jade")
        page.locator("#reproduce code", has_text="--method jade").first.wait_for()
        page.locator("#start:enabled").click()
        page.wait_for_url("**/runs/*")
        page.locator("#remix").wait_for()
        page.wait_for_load_state("load")
        run = page.url
        # Every track can be heard, for as long as it was recorded.
        assert page.locator("audio").count() == 6
        lengths = page.evaluate(
            """async () => {
              const found = [];
              for (const audio of document.querySelectorAll("audio")) {
                audio.preload = "metadata";
                await new Promise((yes, no) => { audio.onloadedmetadata = yes; audio.onerror = no; audio.load(); });
                found.push(audio.duration);
              }
              return found;
            }"""
        )
        np.testing.assert_allclose(lengths, 1.0, atol=0.01)
        # A source is dropped by keyboard: the address says so, and the remix is saved.
        page.locator("[name=keep]").first.focus()
        page.keyboard.press("Space")
        page.locator("#remix [role=status]", has_text="Without source 1").wait_for()
        assert page.url == f"{run}?keep=2"
        with page.expect_download() as download:
            page.get_by_role("link", name="Save the remix as a table").click()
        assert pl.read_csv(download.value.path()).shape == (4000, 2)
        again = page.context.new_page()
        again.goto(page.url)
        assert [box.is_checked() for box in again.locator("[name=keep]").all()] == [False, True]
        again.close()
        for address in (f"{table}/signals", f"{table}/signals?n_components=9", f"{run}?keep=2", f"{run}?keep="):
            looked_at(page.context, address)
    finally:
        server.stop()
