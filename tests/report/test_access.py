"""The page by the rules of axe-core, in both themes: nothing serious, with a cluster chosen and rows listed.

axe-core is not part of this package: AXE_CORE names its axe.min.js, or it lies in node_modules; else this is skipped.
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
