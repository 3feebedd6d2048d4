"""Every row of a long table in a real browser: drawn, chosen by a lasso and by what is in view, kept as a group."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.report.conftest import browser  # noqa: F401
from tests.studio.conftest import two_groups
from tests.studio.server import Server
from tests.studio.test_browser import LONG, looked_at, tabs  # noqa: F401
from unmix.exploration.structure.plane import most_points

pytestmark = [pytest.mark.long, pytest.mark.slow_without_jit]


def opened(page) -> None:
    page.locator("#open-cloud").click()
    page.locator(".cloud-picture canvas").wait_for()


def left_half(content: bytes) -> list[int]:
    """Rows left of the middle, by the definition of the file; the whole picture has its middle in the middle."""
    n = int(np.frombuffer(content, "<u4", 1)[0])
    x, row = np.frombuffer(content, "<f4", n, 4), np.frombuffer(content, "<u4", n, 4 + 8 * n)
    return sorted(row[x < (x.min() + x.max()) / 2].tolist())


def draw(page, corners: list[tuple[float, float]]) -> None:
    """A lasso through these corners, in shares of the picture."""
    page.locator("#cloud-lasso").click()
    canvas = page.locator(".cloud-picture canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    first, *others = [(box["x"] + box["width"] * a, box["y"] + box["height"] * b) for a, b in corners]
    page.mouse.move(*first)
    page.mouse.down()
    for corner in others:
        page.mouse.move(*corner, steps=4)
    page.mouse.up()


def test_rows_beyond_the_map_are_chosen_and_kept(tabs, tmp_path: Path) -> None:  # noqa: F811
    n = most_points + 300
    (tmp_path / "long.csv").write_bytes(two_groups(n))
    server = Server(tmp_path / "studio", str(tmp_path / "long.csv"))
    page = tabs(server, viewport={"width": 1280, "height": 1000})
    try:
        page.wait_for_url("**/tables/*")
        page.locator("#start:enabled").click()
        page.wait_for_url("**/runs/*")
        page.locator("#open-cloud").wait_for()
        page.wait_for_load_state("load")
        run = page.url
        opened(page)
        points = page.request.get(f"{run}/points", timeout=LONG).body()
        assert int.from_bytes(points[:4], "little") == n
        draw(page, [(0.002, 0.002), (0.5, 0.002), (0.5, 0.998), (0.002, 0.998)])
        expected = left_half(points)
        page.locator("#keep", has_text=f"Keep {len(expected):,} rows").wait_for()
        page.fill("#make-group [name=name]", "left")
        page.locator("#keep").click()
        page.locator("#group-list li").wait_for()
        page.wait_for_load_state("load")
        with page.expect_download() as download:
            page.get_by_text("Export CSV").click()
        assert pl.read_csv(download.value.path())["row"].to_list() == expected
        # By keyboard: everything in view, then nothing.
        opened(page)
        page.locator("#cloud-view").press("Enter")
        page.locator("#keep", has_text=f"Keep {n:,} rows").wait_for()
        page.locator("#cloud-none").press("Enter")
        page.locator("#cloud-told", has_text="Nothing is chosen").wait_for()
        looked_at(page.context, run, opened)
    finally:
        server.stop()
