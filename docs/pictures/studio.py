"""Takes docs/assets/studio-*.png: ten minutes with the penguins (needs the extra studio, playwright and a Chromium)."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "examples" / "penguins.csv"
FIRST, SECOND = {}, {"drop": ["bill_length_mm"]}
# Around the upper part of the left cloud, in shares of the map.
LASSO = [(0.28, 0.04), (0.47, 0.06), (0.5, 0.2), (0.46, 0.42), (0.34, 0.5), (0.26, 0.36), (0.26, 0.1)]


def shown() -> dict:
    """The answers that can be read in the pictures."""
    import unmix

    found = [unmix.explore(TABLE, **settings) for settings in (FIRST, SECOND)]
    return {"verdicts": [findings.selection.verdict.partition(". ")[0] for findings in found]}


def picture(page, name: str) -> None:
    page.wait_for_timeout(300)
    page.screenshot(path=ROOT / "docs" / "assets" / f"studio-{name}.png")


def draw_lasso(page) -> None:
    page.locator(".lasso").click()
    page.locator("#map").evaluate("one => one.scrollIntoView({ behavior: 'instant' })")
    box = page.locator("#map canvas").bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in LASSO]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=6)


def session(driver, link: str) -> None:
    """The walk of docs/studio.md, with a picture at every step."""
    browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
    viewport = {"width": 1280, "height": 900}
    page = browser.new_page(viewport=viewport, device_scale_factor=1.25, color_scheme="light")
    page.set_default_timeout(240_000)
    page.goto(link)
    picture(page, "table")
    page.locator("#start").click()
    page.locator(".stages .on", has_text="counting clusters").wait_for()
    picture(page, "running")
    page.locator("#map canvas").wait_for()
    draw_lasso(page)
    picture(page, "lasso")
    page.mouse.up()
    page.fill("#make-group [name=name]", "long bills, short flippers")
    page.fill("#make-group [name=note]", "look at their islands")
    page.locator("#keep").click()
    page.locator("#group-list li").wait_for()
    page.locator("#groups").evaluate("one => one.scrollIntoView({ behavior: 'instant' })")
    picture(page, "group")
    page.get_by_role("link", name="Settings").click()
    page.locator("[data-role=bill_length_mm]").select_option("drop")
    page.locator("#start:enabled").click()
    page.wait_for_url("**/runs/*")
    page.locator("#map canvas").wait_for()
    page.get_by_role("link", name="unmix", exact=True).click()
    for box in page.locator("input[name=run]").all():
        box.check()
    picture(page, "home")
    page.locator("#compare").click()
    page.locator("#flow").wait_for()
    page.emulate_media(color_scheme="dark")
    picture(page, "compare-dark")
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="light")
    page.goto(link.partition("?")[0])
    page.locator("#tables h3 a").first.click()
    page.locator("#start").wait_for()
    picture(page, "phone")
    browser.close()


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        command = [sys.executable, "-m", "unmix", "studio", str(TABLE), "--no-browser", "--workspace", folder]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            session(driver, re.search(r"http://\S+", server.stderr.readline()).group())
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
