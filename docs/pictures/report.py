"""Takes the pictures the documentation shows of a report: light, dark and phone.

unmix explore examples/penguins.csv --out results
python -m tests.report.screenshots results/report.html docs/assets
"""

import shutil
import sys
from pathlib import Path

# Name, width, height, pixels for each of these, colours.
PICTURES = [
    ("report-light", 1280, 1240, 1.5, "light"),
    ("report-dark", 1280, 1240, 1.5, "dark"),
    ("report-phone", 390, 1420, 1.5, "light"),
]


def main(report: Path, folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        for name, width, height, scale, colours in PICTURES:
            viewport = {"width": width, "height": height}
            page = browser.new_page(viewport=viewport, device_scale_factor=scale, color_scheme=colours)
            page.goto(report.resolve().as_uri())
            if name == "report-light":  # pointing at the row furthest out
                box = page.locator("canvas").bounding_box()
                page.mouse.move(box["x"] + 0.975 * box["width"], box["y"] + 0.185 * box["height"])
            page.screenshot(path=folder / f"{name}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
