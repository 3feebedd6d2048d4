"""Takes docs/assets/session-*.png: ten minutes with patches of photographs (needs what studio.py needs)."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "examples" / "segments.csv"
PAGE = "ten_minutes.md"
PLACE = ["region-centroid-col", "region-centroid-row"]
FIRST, SECOND = {"describe": ["category"]}, {"describe": ["category"], "drop": PLACE}
# Around the points far above the others, in shares of the map.
LASSO = [(0.2, 0.02), (0.75, 0.02), (0.75, 0.2), (0.5, 0.24), (0.2, 0.24)]


def shown() -> dict:
    """The answers that can be read in the pictures and on the page."""
    import polars as pl

    import unmix

    found = [unmix.explore(TABLE, **settings) for settings in (FIRST, SECOND)]
    category = pl.read_csv(TABLE)["category"].to_list()
    inside = [Counter(zip(findings.labels.tolist(), category)) for findings in found]
    verdicts = [findings.selection.verdict.partition(". ")[0] for findings in found]
    sizes = {cluster.name: cluster.size for cluster in found[0].clusters}
    lines = [f"*{verdict}*" for verdict in verdicts]
    lines += [f"| {name} | {size:,} | {held(inside[0], i)} |" for i, (name, size) in enumerate(sizes.items())]
    lines += [f"high hue holds {held(inside[1], 1)}"]
    return {"verdicts": verdicts, "clusters": sizes, "on the page": lines}


def held(inside: Counter, cluster: int) -> str:
    """Which categories the rows of a cluster are of, the most frequent first."""
    return ", ".join(f"{name} {n}" for (of, name), n in inside.most_common() if of == cluster)


def studio():
    """What the script beside this one can do: take a picture, go to a section, draw a lasso."""
    spec = importlib.util.spec_from_file_location("studio_pictures", Path(__file__).with_name("studio.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def picture(page, name: str) -> None:
    page.wait_for_timeout(400)
    page.screenshot(path=ROOT / "docs" / "assets" / f"session-{name}.png")


def explore(page) -> None:
    page.wait_for_selector("#columns:not([aria-busy])")
    page.locator("#start:enabled").click()
    page.wait_for_url("**/runs/*")
    page.locator("#map canvas").wait_for()
    page.wait_for_load_state("load")


def first_look(page) -> None:
    """The empty first page, the columns, the answer."""
    picture(page, "first")
    page.set_input_files("#file", TABLE)
    page.wait_for_url("**/tables/*")
    page.wait_for_load_state("load")
    page.locator("[data-role=category]").select_option("describe")
    page.wait_for_selector("#columns:not([aria-busy])")
    page.locator("[data-role=category]").evaluate("one => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
    picture(page, "columns")
    explore(page)
    page.evaluate("scrollTo(0, 0)")
    picture(page, "answer")


def on_the_map(page, hands) -> None:
    """Colours of the category, a lasso, a group, and the path of temperatures."""
    hands.to(page, "#map")
    page.locator(".colour-by").select_option(label="category")
    picture(page, "map")
    hands.draw_lasso(page, LASSO)
    page.mouse.up()
    page.fill("#make-group [name=name]", "strong edges")
    page.fill("#make-group [name=note]", "mostly foliage: twigs, not leaves?")
    page.locator("#keep").click()
    page.locator("#group-list li").wait_for()
    hands.to(page, "#groups")
    picture(page, "group")
    page.get_by_role("button", name="Clear").click()
    page.locator("#follow").click()
    page.locator("#kelvin:enabled").evaluate(
        "one => { one.value = 0.7 * one.max; one.dispatchEvent(new Event('input')); }"
    )
    page.set_viewport_size({"width": 1280, "height": 1100})  # the slider and the whole map
    hands.to(page, "#temperature")
    picture(page, "temperature")
    page.set_viewport_size({"width": 1280, "height": 800})


def what_if(page) -> None:
    """Without the place in the photograph; both runs side by side, in the dark."""
    page.get_by_role("link", name="Settings").click()
    for column in PLACE:
        page.locator(f"[data-role='{column}']").select_option("drop")
        page.wait_for_selector("#columns:not([aria-busy])")
    explore(page)
    page.get_by_role("link", name="unmix", exact=True).click()
    page.wait_for_load_state("load")
    for box in page.locator("input[name=run]").all():
        box.check()
    page.locator("#compare").click()
    page.locator("#flow").wait_for()
    page.emulate_media(color_scheme="dark")
    picture(page, "compare-dark")


def on_a_phone(page, own: str) -> None:
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(own)
    page.locator("a[href^='/runs/']").last.click()
    page.locator("#map canvas").wait_for()
    picture(page, "phone")


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        command = [sys.executable, "-m", "unmix", "studio", "--no-browser", "--workspace", folder]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
        try:
            link = re.search(r"http://\S+", server.stderr.readline()).group()
            page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
            page.set_default_timeout(400_000)
            page.goto(link)
            first_look(page)
            on_the_map(page, studio())
            what_if(page)
            on_a_phone(page, link.partition("?")[0])
        finally:
            browser.close()
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
