"""The page in a real browser: quiet, offline, in both themes, on a phone, by keyboard, and with hostile names.

Needs a Chromium on the path; skips where there is none.
"""

import json
from collections.abc import Callable
from html import escape
from itertools import pairwise
from pathlib import Path

import pytest

from tests.report.looks import PHONE, background, overflow, widest_overflow
from tests.report.made_up import made_up
from tests.report.test_page import HOSTILE, poison
from unmix.report import render, write


@pytest.fixture
def view(look: Callable, tmp_path: Path) -> Callable:
    """Opens findings as a page."""
    return lambda findings, **options: look(write(findings, tmp_path / "report.html"), **options)


def inked(page) -> int:
    """How many pixels of the map are drawn in a colour (axes and text are grey)."""
    return page.evaluate(
        """() => {
          const canvas = document.querySelector(".map canvas");
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
          copy.drawImage(canvas, 0, 0);
          const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
          let n = 0;
          for (let i = 0; i < data.length; i += 4) {
            const spread = Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]);
            if (data[i + 3] > 40 && spread > 40) n += 1;
          }
          return n;
        }"""
    )


WIDE = made_up(n_rows=2000, n_columns=60, k=12)
for column in WIDE["columns"]:
    column["name"] = column["name"] + "_without_any_place_to_break" * 4
LONG = poison(made_up())
LONG["clusters"][0]["name"] = "x" * 400
LONG["selection"]["verdict"] = "y" * 300
LONG["command"] = "unmix explore " + "z" * 300


NARROW = {"three": made_up(), "one": made_up(k=1), "column": made_up(n_columns=1, k=2), "wide": WIDE, "long": LONG}


@pytest.mark.parametrize("findings", NARROW.values(), ids=NARROW.keys())
def test_no_sideways_scrolling(view: Callable, findings: dict) -> None:
    page = view(findings, viewport=PHONE)
    assert overflow(page) <= 0
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert widest_overflow(page) <= 0


def test_the_map_is_drawn_sharply_and_a_key_isolates_a_cluster(view: Callable) -> None:
    page = view(made_up(), device_scale_factor=2)
    wide, box = page.evaluate("document.querySelector('canvas').width"), page.locator("canvas").bounding_box()
    assert wide == pytest.approx(2 * box["width"], abs=2)
    everything = inked(page)
    key = page.locator(".key").nth(1)
    key.focus()
    page.keyboard.press("Space")
    assert key.get_attribute("aria-pressed") == "true"
    assert 0 < inked(page) < 0.7 * everything
    page.keyboard.press("Enter")
    assert key.get_attribute("aria-pressed") == "false"
    assert inked(page) == everything
    page.locator("[data-isolate='2']").click()
    assert page.locator(".key[aria-pressed=true]").get_attribute("data-label") == "2"
    page.locator(".legend .all").click()
    assert page.locator(".key[aria-pressed=true]").count() == 0
    assert page.locator(".legend .all").is_hidden()


def test_pointing_at_a_point_names_row_cluster_and_confidence(view: Callable) -> None:
    findings = made_up()
    findings["map"].update(x=[0.0, 1.0], y=[0.0, 1.0], label=[0, 2], row=[41, 1017], confidence=[0.5, 0.875])
    page = view(findings)
    page.locator("canvas").hover(position={"x": page.locator("canvas").bounding_box()["width"] - 18, "y": 18})
    tip = page.locator(".tip")
    assert tip.is_visible()
    lines = tip.locator("> *").all_inner_texts()
    assert lines[:3] == ["Row 1,017: id-1", "cluster 2: high measure_2", "confidence 88 %"]
    values = [findings["rows"]["values"][j][1] for j in range(3)]
    assert lines[3:] == [f"measure_{j} {value:g}" for j, value in enumerate(values)]
    page.mouse.move(0, 0)
    assert tip.is_hidden()


def test_a_tap_names_a_row_on_a_phone(view: Callable) -> None:
    page = view(made_up(), viewport=PHONE, has_touch=True, is_mobile=True)
    findings = made_up()["map"]
    x = 18 + (findings["x"][0] - min(findings["x"])) / (max(findings["x"]) - min(findings["x"])) * (
        page.locator("canvas").bounding_box()["width"] - 36
    )
    height = page.locator("canvas").bounding_box()["height"]
    y = (
        height
        - 18
        - (findings["y"][0] - min(findings["y"])) / (max(findings["y"]) - min(findings["y"])) * (height - 36)
    )
    page.locator("canvas").tap(position={"x": x, "y": y})
    assert page.locator(".tip strong").inner_text() == f"Row {findings['row'][0]}: id-0"


def test_arrow_keys_walk_from_row_to_row(view: Callable) -> None:
    findings = made_up()
    place = {"x": [0.0, 1.0, 2.0, 1.0, 1.0], "y": [0.0, 0.1, 0.0, 4.0, -3.0], "label": [0, 1, 2, 0, 0]}
    findings["map"].update(place, row=[1, 2, 3, 4, 5], confidence=[1.0] * 5)
    page = view(findings)
    page.locator("canvas").focus()
    for press, row in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("ArrowLeft", 1), ("ArrowLeft", 1)]:
        page.keyboard.press(press)
        assert page.locator(".map .spoken").inner_text().startswith(f"Row {row}: id-{row - 1}, cluster {row - 1}")
    page.keyboard.press("Escape")
    assert page.locator(".tip").is_hidden()


def test_dark_by_system_and_by_button(view: Callable) -> None:
    light = view(made_up())
    dark = view(made_up(), color_scheme="dark")
    assert min(background(light)) > 230
    assert max(background(dark)) < 40
    toggle = light.locator("button.theme")
    assert toggle.get_attribute("aria-pressed") == "false"
    toggle.press("Enter")
    assert toggle.get_attribute("aria-pressed") == "true"
    assert max(background(light)) < 40
    assert inked(light) > 1000
    for _ in range(5):  # the browser writes its storage behind the page, on a busy machine after the reload
        light.reload()
        if max(background(light)) < 40:
            break
        light.wait_for_timeout(300)
    assert max(background(light)) < 40
    toggle.press("Space")
    assert min(background(light)) > 230


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_marks_have_contrast(view: Callable, scheme: str) -> None:
    page = view(made_up(n_rows=2000, k=12), color_scheme=scheme)
    contrast = page.evaluate(
        """() => {
          const light = (c) => c.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
            .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0.05);
          const ratio = (a, b) => Math.max(light(a), light(b)) / Math.min(light(a), light(b));
          const style = (q) => getComputedStyle(document.querySelector(q));
          const page = style("body").backgroundColor, card = style(".card").backgroundColor;
          const text = [["body", page], [".lede", page], ["nav a", page], [".intro", page], [".jump a", card],
            [".card .quiet", card], ["figcaption", card], [".card h3", card]]
            .map(([q, b]) => [q, ratio(style(q).color, b)]);
          const own = (q, behind) => text.push([q, ratio(style(q).color, style(behind).backgroundColor)]);
          own(".rule-of .quiet", ".rule-of");
          own(".chip", ".chip");
          for (const q of [".looked-at", ".k span", ".open-rows", ".chooser legend", ".shown-rows"]) own(q, ".dock");
          text.push(["notice", ratio(style(".notice").color, style(".notice").backgroundColor)]);
          const marks = [...document.querySelectorAll(".legend .mark")]
            .map((mark) => ratio(getComputedStyle(mark).color, card));
          return { text: Object.fromEntries(text), marks };
        }"""
    )
    assert len(contrast["marks"]) == 12
    assert min(contrast["marks"]) >= 3
    assert {name: value for name, value in contrast["text"].items() if value < 4.5} == {}


def test_hostile_names_run_nothing_and_read_as_themselves(view: Callable) -> None:
    findings = poison(made_up())
    page = view(findings)
    page.locator(".key").first.click()
    page.locator("canvas").focus()
    page.keyboard.press("ArrowRight")
    assert HOSTILE in page.locator(".tip").inner_text().replace("\n", "")
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert HOSTILE in page.locator("#reproduce code").text_content()
    assert json.loads(page.locator("#findings").text_content()) == findings


def test_the_policy_stops_a_script_that_is_not_the_pages_own(browser, tmp_path: Path) -> None:
    path = write(made_up(), tmp_path / "report.html")
    path.write_text(
        path.read_text().replace(
            "</main>", "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'></main>"
        )
    )
    page = browser.new_page()
    page.goto(path.as_uri())
    assert page.evaluate("window.hacked") is None
    page.close()


def test_numbers_can_be_saved(view: Callable, tmp_path: Path) -> None:
    page = view(made_up())
    with page.expect_download() as waiting:
        page.locator("[data-action=save]").click()
    waiting.value.save_as(tmp_path / "saved.json")
    assert waiting.value.suggested_filename == "findings.json"
    assert json.loads((tmp_path / "saved.json").read_text()) == made_up()


def test_without_script_everything_but_the_map_is_there(view: Callable) -> None:
    page = view(made_up(), java_script_enabled=False)
    assert page.locator("h1").inner_text() == "3 groups, and they replicate"
    assert page.locator(".card").count() == 3
    assert page.get_by_text("drawn by a script").is_visible()
    assert page.locator("button:visible:not(.key)").count() == 0


def test_every_figure_and_table_has_words(view: Callable) -> None:
    page = view(made_up())
    bare = "svg:not([aria-hidden=true]):not([role=img][aria-label]), canvas:not([aria-label]), table:not(:has(caption))"
    assert page.locator(bare).count() == 0
    levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3')].map((h) => Number(h.tagName[1]))")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below - above <= 1 for above, below in pairwise(levels))


def test_prints_in_light_colours_without_controls(view: Callable) -> None:
    page = view(made_up(), color_scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert min(background(page)) == 255
    assert page.locator("nav").is_hidden()
    assert page.locator("button.theme").is_hidden()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert max(background(page)) < 40
    assert page.evaluate("document.documentElement.dataset.theme") is None


def test_works_inside_a_notebooks_sandboxed_frame(browser) -> None:
    complaints: list[str] = []
    page = browser.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.set_content(
        f'<iframe srcdoc="{escape(render(made_up()))}" sandbox="allow-scripts" width=900 height=700></iframe>'
    )
    inside = page.frame_locator("iframe")
    inside.locator("button.theme").click()
    inside.locator(".key").first.click()
    assert inside.locator(".key").first.get_attribute("aria-pressed") == "true"
    assert complaints == []
    page.close()


def test_a_hundred_thousand_rows_open_and_respond(view: Callable) -> None:
    findings = made_up(n_rows=100_000, n_columns=20, k=8)
    page = view(findings)
    assert inked(page) > 10_000
    page.locator(".key").first.click()
    assert inked(page) > 0
    assert "of 100,000 rows are drawn" in page.locator("#map .intro").inner_text()
