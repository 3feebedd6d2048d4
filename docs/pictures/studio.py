"""Takes docs/assets/studio-*.png: ten minutes with the examples (needs the extra studio, playwright and a Chromium)."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
FIRST, SECOND = {"describe": ["cultivar"]}, {"describe": ["cultivar"], "drop": ["proline"]}
# Around the upper part of the right cloud, in shares of the map.
LASSO = [(0.55, 0.05), (0.95, 0.05), (0.97, 0.3), (0.9, 0.55), (0.6, 0.5), (0.52, 0.25)]


def write_sound(folder: Path) -> None:
    """A struck string, a tone that comes and goes, and a hiss, by three microphones."""
    from scipy.io import wavfile

    rate, rng = 8000, np.random.default_rng(0)
    t = np.arange(3 * rate) / rate
    string = np.sign(np.sin(2 * np.pi * 220 * t)) * np.exp(-3 * (t % 1))
    tone = np.sin(2 * np.pi * 330 * t) * (np.sin(2 * np.pi * 1.5 * t) > 0)
    mixed = np.c_[string, tone, 0.3 * rng.laplace(size=len(t))] @ rng.uniform(0.3, 1, (3, 3))
    wavfile.write(folder / "room.wav", rate, np.round(mixed / np.abs(mixed).max() * 32000).astype(np.int16))


def shown() -> dict:
    """The answers that can be read in the pictures."""
    import unmix

    found = [unmix.explore(EXAMPLES / "wine.csv", **settings) for settings in (FIRST, SECOND)]
    return {"verdicts": [findings.selection.verdict.partition(". ")[0] for findings in found]}


def picture(page, name: str) -> None:
    page.wait_for_timeout(400)
    page.screenshot(path=ROOT / "docs" / "assets" / f"studio-{name}.png")


def to(page, place: str) -> None:
    page.locator(place).evaluate("one => one.scrollIntoView({ behavior: 'instant' })")


def draw_lasso(page, around=LASSO) -> None:
    page.locator(".lasso").click()
    to(page, "#map")
    box = page.locator("#map canvas").bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in around]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=6)


def wines(page) -> None:
    """Columns, a run, a lasso, a group, a second run, the comparison."""
    page.locator("[data-role=cultivar]").select_option("describe")
    page.wait_for_selector("#columns:not([aria-busy])")
    picture(page, "table")
    page.locator("#start:enabled").click()
    page.locator(".stages .on", has_text="counting clusters").wait_for()
    picture(page, "running")
    page.locator("#map canvas").wait_for()
    page.wait_for_load_state("load")
    picture(page, "answer")
    page.locator(".colour-by").select_option(label="cultivar")
    draw_lasso(page)
    picture(page, "lasso")
    page.mouse.up()
    page.fill("#make-group [name=name]", "light on the right")
    page.fill("#make-group [name=note]", "mostly cultivar 1: why not all?")
    page.locator("#keep").click()
    page.locator("#group-list li").wait_for()
    to(page, "#groups")
    picture(page, "group")
    page.get_by_role("link", name="Settings").click()
    page.locator("[data-role=proline]").select_option("drop")
    page.wait_for_selector("#columns:not([aria-busy])")
    page.locator("#start:enabled").click()
    page.wait_for_url("**/runs/*")
    page.locator("#map canvas").wait_for()
    page.get_by_role("link", name="unmix", exact=True).click()
    page.wait_for_load_state("load")
    for box in page.locator("input[name=run]").all():
        box.check()
    page.locator("#compare").click()
    page.locator("#flow").wait_for()
    page.emulate_media(color_scheme="dark")
    picture(page, "compare-dark")
    page.emulate_media(color_scheme="light")


def roles(page, own: str) -> None:
    """Access with a pair that nobody may hold, a merge that is thought of, and a decision."""
    for name in ("users.csv", "access.csv"):
        page.goto(own)
        page.wait_for_load_state("load")
        page.set_input_files("#file", EXAMPLES / name)
        page.wait_for_url("**/tables/*")
    page.get_by_role("link", name="Roles", exact=True).click()
    page.wait_for_load_state("load")
    page.locator("#attributes").select_option(label="users.csv")
    page.locator("#reproduce code", has_text="--attributes").wait_for()
    for box, word in zip(page.locator(".pair input").all(), ("pay:create", "pay:approve")):
        box.fill(word)
        box.blur()
    page.locator("#reproduce code", has_text="--forbid").wait_for()
    page.locator("#start:enabled").click()
    page.locator(".access canvas").wait_for()
    page.wait_for_load_state("load")
    page.locator(".entries [data-do=decide]", has_text="Revoke").first.click()
    page.locator(".steps li").wait_for()
    page.wait_for_load_state("load")
    page.evaluate("scrollTo(0, 0)")
    picture(page, "roles")
    for i in (0, 1):
        page.locator("[name=role]").nth(i).check()
    page.locator("#merge").click()
    page.locator("#step-costs", has_text="to manage").wait_for()
    to(page, "#roles")
    picture(page, "merge")


def signals(page, own: str, folder: Path) -> None:
    page.goto(own)
    page.wait_for_load_state("load")
    page.set_input_files("#file", folder / "room.wav")
    page.wait_for_url("**/signals")
    page.wait_for_load_state("load")
    page.locator("#start:enabled").click()
    page.locator("#remix").wait_for()
    page.wait_for_load_state("load")
    page.locator("[name=keep]").nth(1).uncheck()
    page.locator("#remix [role=status]", has_text="Without").wait_for()
    to(page, "#tracks")
    picture(page, "signals")


def session(driver, link: str, folder: Path) -> None:
    """The walk of docs/studio.md, with a picture at every step."""
    browser = driver.chromium.launch(executable_path=shutil.which("chromium"))
    page = browser.new_page(viewport={"width": 1280, "height": 900}, device_scale_factor=1.25, color_scheme="light")
    page.set_default_timeout(400_000)
    own = link.partition("?")[0]
    page.goto(link)
    page.wait_for_load_state("load")
    wines(page)
    roles(page, own)
    signals(page, own, folder)
    page.goto(own)
    picture(page, "home")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#tables h3 a", has_text="wine.csv").click()
    page.locator("#start").wait_for()
    picture(page, "phone")
    browser.close()


def main() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        write_sound(folder)
        command = [sys.executable, "-m", "unmix", "studio", str(EXAMPLES / "wine.csv"), "--no-browser"]
        command += ["--workspace", str(folder / "studio")]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            session(driver, re.search(r"http://\S+", server.stderr.readline()).group(), folder)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
