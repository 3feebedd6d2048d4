"""The page of roles in a real browser: quiet, offline, its picture zooms, its exceptions are searched and sorted.

Needs a Chromium on the path; skips where there is none.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.report.looks import PHONE, cut_labels, widest_overflow
from tests.report.roles.test_page import HOSTILE
from unmix.report.roles.page import write
from unmix.roles import explain, mine, name_roles
from unmix.roles.evaluation.generalization import Generalization
from unmix.roles.explanation.document import document
from unmix.roles.explanation.front import role_front
from unmix.roles.problem.budget import Budget


@pytest.fixture(scope="module")
def tree() -> dict:
    """Three departments of twenty, and grants that few have."""
    pairs = [(f"u{i}", p) for i in range(60) for p in ("mail", *(f"{'abc'[i % 3]}:{k}" for k in range(5)))]
    pairs += [("u3", "payroll"), ("u9", "payroll"), ("u4", f"{HOSTILE}root"), ("u5", "a:1"), (f"{HOSTILE}eve", "mail")]
    found = name_roles(mine(pairs, "fewest", n_roles=3))
    facts = {"source": "access.csv", "command": "unmix roles access.csv", "version": "1"}
    return document(
        found, explain(found), front=role_front(found, Budget(None)), held_out=Generalization(0.1, 0.04, 0.06), **facts
    )


@pytest.fixture
def view(look: Callable, tree: dict, tmp_path: Path) -> Callable:
    path = write(tree, tmp_path / "report.html")
    return lambda **options: look(path, **options)


def column(page, k: int) -> list[str]:
    return page.locator(f"table.exceptions tbody tr > :nth-child({k + 1})").all_text_contents()


def picture(page) -> bytes:
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return np.array(
        page.evaluate(
            """() => {
              const canvas = document.querySelector(".access canvas");
              const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
              copy.drawImage(canvas, 0, 0);
              const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
              return [...pixels].filter((_, k) => k % 97 === 0);
            }"""
        )
    ).tobytes()


def test_search_narrows_the_exceptions(view: Callable, tree: dict) -> None:
    page = view()
    assert len(column(page, 0)) == len(tree["exceptions"])
    page.locator("#find-exception").fill("PAYROLL")
    assert column(page, 1) == ["payroll", "payroll"]
    assert page.locator("#exceptions .found").inner_text() == f"2 of {len(tree['exceptions'])}"
    page.locator("#find-exception").fill("nothing at all")
    assert column(page, 1) == []
    page.locator("#find-exception").fill("")
    assert len(column(page, 0)) == len(tree["exceptions"])


def test_titles_sort_the_exceptions_both_ways(view: Callable, tree: dict) -> None:
    page = view()
    title = page.locator("table.exceptions thead th").nth(0)
    title.locator("button").click()
    assert title.get_attribute("aria-sort") == "ascending"
    users = column(page, 0)
    named = [user for user in users if user[1:].isdigit()]
    assert named == sorted(named, key=lambda user: int(user[1:]))
    title.locator("button").press("Enter")
    assert title.get_attribute("aria-sort") == "descending"
    assert column(page, 0)[0] == users[-1]
    page.locator("table.exceptions thead th button").nth(3).click()
    rising = sorted(entry["probability"] for entry in tree["exceptions"])
    first = page.locator("table.exceptions tbody tr > :nth-child(4)").first.inner_text()
    assert first.rstrip(" %").lstrip("> <") in {f"{100 * rising[-1]:.0f}", "99"}
    assert title.get_attribute("aria-sort") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_picture_zooms_and_comes_back(view: Callable, scheme: str) -> None:
    page = view(color_scheme=scheme)
    page.locator(".access canvas").scroll_into_view_if_needed()
    whole = picture(page)
    for _ in range(3):
        page.locator("[data-zoom=in]").click()
    near = picture(page)
    assert near != whole
    box = page.locator(".access canvas").bounding_box()
    page.mouse.move(box["x"] + 400, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 120)
    page.mouse.up()
    assert picture(page) != near
    page.locator("[data-zoom=fit]").click()
    page.mouse.move(0, 0)
    assert picture(page) == whole


def test_a_cell_says_who_has_what_by_which_role(view: Callable, tree: dict) -> None:
    page = view()
    page.locator(".access canvas").focus()
    page.keyboard.press("ArrowRight")
    _, permission, what = page.locator(".access .tip > *").all_inner_texts()
    assert permission in tree["permissions"]
    assert what in {role["name"] for role in tree["roles"]} | {"no access", "grant beside the roles", "would be added"}
    page.keyboard.press("Escape")
    assert page.locator(".access .tip").is_hidden()


def test_front_and_new_users_are_told(view: Callable) -> None:
    page = view()
    told = page.locator(".held-out").inner_text().replace("\N{NO-BREAK SPACE}", " ")
    assert "10 % of the hidden entries are predicted wrongly, 4 % too much" in told
    assert page.get_by_text("Fewer roles, if some access may change").is_visible()
    assert page.locator("#number circle").count() >= 2


def test_names_run_nothing_and_no_width_scrolls_sideways(view: Callable) -> None:
    page = view()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert widest_overflow(page) <= 0


def test_large_numbers_along_the_curves_are_whole(look: Callable, tree: dict, tmp_path: Path) -> None:
    many = {
        "front": [{"n_roles": k, "deviations": 2_000_000 // k} for k in (1, 40, 650, 1699)],
        "tried": [{"n_roles": k, "error": 0.0013 / k, "over": 0.0004 / k} for k in (1, 2, 500, 1000)],
        "first_roles": [{"role": f"R{k:04}", "left": 10_000 - 14 * k} for k in range(1, 700)],
        "counts": tree["counts"] | {"grants": 10_000},
    }
    page = look(write(tree | many, tmp_path / "many.html"))
    shown = page.locator("svg.chart .tick").all_text_contents()
    assert {"10k", "1.5M", "699", "1,699", "0.05\N{NO-BREAK SPACE}%"} <= set(shown)
    assert cut_labels(page) == []


UNDER = """() => {
  const reached = document.activeElement, bar = document.querySelector("nav");
  if (!reached.closest("main") || bar.contains(reached)) return null;
  const box = reached.getBoundingClientRect(), above = bar.getBoundingClientRect();
  const under = box.height < 100 && box.top < above.bottom - 1 && box.bottom > above.top;
  return under ? reached.outerHTML.slice(0, 80) : null;
}"""


def test_what_is_reached_by_keyboard_is_not_under_the_list_of_sections(view: Callable) -> None:
    page = view(viewport=PHONE, reduced_motion="reduce")
    links = page.locator("main :is(a, button, summary)")
    links.last.focus()
    under = []
    for key in ["Shift+Tab"] * 60 + ["Tab"] * 40:
        page.keyboard.press(key)
        under.append(page.evaluate(UNDER))
    assert [one for one in under if one] == []
