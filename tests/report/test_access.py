"""The page for everybody: names for all that can be reached, no motion where none is wanted, and the rules of axe-core.

axe-core is not part of this package: AXE_CORE names its axe.min.js, or it lies in node_modules; else these are skipped.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.report.looks import DESKTOP, PHONE
from tests.report.made_up import made_up
from unmix.report import write

PLACES = [os.environ.get("AXE_CORE", ""), "node_modules/axe-core/axe.min.js"]
AXE = next((Path(place) for place in PLACES if place and Path(place).is_file()), None)


def test_all_that_can_be_reached_has_a_name_and_is_seen_in_focus(look: Callable, tmp_path: Path) -> None:
    page = look(write(made_up(), tmp_path / "report.html"))
    page.locator(".open-rows").click()
    bare = page.evaluate(
        """() => [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")]
          .filter((one) => !one.textContent.trim() && !one.getAttribute("aria-label") && !(one.labels || []).length)
          .map((one) => one.outerHTML.slice(0, 100))"""
    )
    assert bare == []
    for place in ("a[href='#map']", ".key", ".colour-by", "[data-save=SVG]", "canvas", ".open-rows", ".listed"):
        page.locator(place).first.focus()
        page.keyboard.press("Shift")  # a key makes the focus one of the keyboard
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") in ("solid", "auto")
    save = page.locator(".save").first
    page.locator("[data-save=SVG]").first.focus()
    page.wait_for_timeout(250)
    assert save.evaluate("one => getComputedStyle(one).opacity") == "1"


def test_no_motion_where_none_is_wanted(look: Callable, tmp_path: Path) -> None:
    page = look(write(made_up(), tmp_path / "report.html"), reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    moving = """() => [...document.querySelectorAll("*")].filter((one) => {
      const style = getComputedStyle(one);
      return style.animationName !== "none" || style.transitionDuration.split(",").some((time) => parseFloat(time) > 0);
    }).length"""
    assert page.evaluate(moving) == 0


@pytest.mark.skipif(AXE is None, reason="no axe-core: set AXE_CORE to its axe.min.js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_nothing_serious(look: Callable, tmp_path: Path, scheme: str, size: dict) -> None:
    page = look(write(made_up(), tmp_path / "report.html"), color_scheme=scheme, viewport=size, bypass_csp=True)
    assert AXE is not None
    page.evaluate(AXE.read_text(encoding="utf-8"))
    page.locator(".open-rows").click()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found = page.evaluate("axe.run().then((result) => result.violations)")
    serious = [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
