"""Takes docs/assets/report-{light,dark,phone}.png: the report on the penguins (needs playwright and a Chromium)."""

import shutil
import tempfile
from pathlib import Path

import unmix
from unmix.report import write

ROOT = Path(__file__).parents[2]
# Name, width, height, pixels for each of these, colours.
PICTURES = [
    ("report-light", 1280, 1640, 1.5, "light"),
    ("report-dark", 1280, 1240, 1.5, "dark"),
    ("report-phone", 390, 1420, 1.5, "light"),
]


def findings() -> dict:
    return unmix.explore(ROOT / "examples" / "penguins.csv").to_dict()


def shown() -> dict:
    """The answers that can be read in the pictures."""
    found = findings()
    return {
        "verdict": found["selection"]["verdict"].partition(". ")[0],
        "clusters": {cluster["name"]: cluster["size"] for cluster in found["clusters"]},
        "rows": found["source"]["n_rows"],
        "missing": found["missing"]["n_cells"],
    }


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        report = write(findings(), Path(folder) / "report.html")
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        for name, width, height, scale, colours in PICTURES:
            viewport = {"width": width, "height": height}
            page = browser.new_page(viewport=viewport, device_scale_factor=scale, color_scheme=colours)
            page.goto(report.resolve().as_uri())
            if name == "report-light":  # pointing at the row furthest out
                box = page.locator("canvas").bounding_box()
                page.mouse.move(box["x"] + 0.975 * box["width"], box["y"] + 0.185 * box["height"])
            if name == "report-dark":  # a cluster is chosen, and its rows are listed
                page.locator(".key").nth(1).click()
                page.locator("#map").evaluate("one => one.scrollIntoView({ behavior: 'instant' })")
                page.locator(".open-rows").click()
            page.screenshot(path=ROOT / "docs" / "assets" / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
