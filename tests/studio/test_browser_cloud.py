"""Every row of a long table in a real browser: drawn, chosen by a lasso and by what is in view, kept as a group."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from tests.report.conftest import browser  # noqa: F401
from tests.studio.server import Server
from tests.studio.test_browser import LONG, looked_at, place_at_rest, tabs  # noqa: F401
from unmix.exploration.structure.plane import most_points

pytestmark = [pytest.mark.long, pytest.mark.slow_without_jit]


def apart(n: int) -> bytes:
    """Three columns that say the same of two groups: the first axis of the plane is what sets them apart."""
    rng = np.random.default_rng(0)
    table = np.r_[rng.normal(0, 1, (n // 2, 3)), rng.normal(9, 1, (n - n // 2, 3))]
    return pl.DataFrame(table, schema=["a", "b", "c"]).write_csv().encode()


def opened(page) -> None:
    page.locator("#open-cloud").click()
    page.locator(".cloud-picture canvas").wait_for()


def left_part(content: bytes, width: float, height: float) -> tuple[list[int], float]:
    """Rows left of the gap between the groups, and where it is in the whole picture, as a share of it."""
    n = int(np.frombuffer(content, "<u4", 1)[0])
    x, y, row = (np.frombuffer(content, kind, n, 4 + 4 * n * i) for i, kind in enumerate(("<f4", "<f4", "<u4")))
    ordered = np.sort(x)[n // 4 : -n // 4]
    at = int(np.argmax(np.diff(ordered)))
    assert ordered[at + 1] - ordered[at] > 0.1 * np.ptp(x)  # wide enough for a mouse
    border = float(ordered[at] + ordered[at + 1]) / 2
    scale = 0.94 * min(width / np.ptp(x), height / np.ptp(y))
    return sorted(row[x < border].tolist()), 0.5 + (border - float(x.min() + x.max()) / 2) * float(scale) / width


def draw(page, corners: list[tuple[float, float]]) -> None:
    """A lasso through these corners, in shares of the picture."""
    page.locator("#cloud-lasso").click()
    canvas = page.locator(".cloud-picture canvas")
    box = place_at_rest(canvas)
    first, *others = [(box["x"] + box["width"] * a, box["y"] + box["height"] * b) for a, b in corners]
    page.mouse.move(*first)
    page.mouse.down()
    for corner in others:
        page.mouse.move(*corner, steps=4)
    page.mouse.up()


def test_rows_beyond_the_map_are_chosen_and_kept(tabs, tmp_path: Path) -> None:  # noqa: F811
    n = most_points + 300
    (tmp_path / "long.csv").write_bytes(apart(n))
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
        box = page.locator(".cloud-picture canvas").bounding_box()
        expected, share = left_part(points, box["width"], box["height"])
        draw(page, [(0.02, 0.02), (share, 0.02), (share, 0.98), (0.02, 0.98)])  # off the rounded corners
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
