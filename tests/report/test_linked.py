"""What is chosen anywhere is followed everywhere: map, legend, cards, columns, sizes, rows; and figures are saved."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.report.looks import PHONE
from tests.report.made_up import made_up
from tests.report.test_browser import inked
from tests.report.test_page import HOSTILE, poison
from unmix.report import write

FOUND = made_up()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def view(look: Callable, tmp_path: Path) -> Callable:
    """Opens findings as a page."""
    return lambda findings=FOUND, **options: look(write(findings, tmp_path / "report.html"), **options)


def listed(page) -> list[list[str]]:
    """The rows in the list, as they are read."""
    lines = page.locator("#drawer tbody tr")
    return [line.locator("th, td").all_inner_texts() for line in lines.all()]


def choose_k(page, k: int) -> None:
    page.locator(f"#dock input[value='{k}']").check(force=True)


def saved(page, tmp_path: Path, figure: str, kind: str) -> bytes:
    with page.expect_download() as waiting:
        page.locator(f"[data-figure='{figure}'] [data-save={kind}]").press("Enter")
    assert waiting.value.suggested_filename == f"{figure}.{kind.lower()}"
    waiting.value.save_as(tmp_path / "saved")
    return (tmp_path / "saved").read_bytes()


def lines_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode())))


def test_a_cluster_is_followed_by_map_card_columns_and_rows(view: Callable) -> None:
    page = view()
    everything = inked(page)
    page.locator(".key").nth(1).click()
    assert 0 < inked(page) < 0.7 * everything
    assert page.locator(".card.looked").get_attribute("id") == "cluster-1"
    assert page.locator(".sizes g.looked").get_attribute("data-cluster") == "1"
    assert page.locator("#columns .chosen-rows").count() == len(FOUND["columns"])
    size = FOUND["map"]["label"].count(1)
    assert page.locator(".open-rows").inner_text() == f"Rows ({size})"
    page.locator(".open-rows").click()
    rows = [FOUND["map"]["row"][i] for i, label in enumerate(FOUND["map"]["label"]) if label == 1]
    assert [line[0] for line in listed(page)] == [str(row) for row in sorted(rows)[:100]]
    assert page.locator(".looked-at").inner_text() == "1 high measure_1"
    page.locator(".clear").click()
    assert page.locator(".looked-at").inner_text() == "All rows"
    assert page.locator(".looked").count() == 0


def test_another_number_recolours_everything_without_a_new_run(view: Callable) -> None:
    page = view()
    for other in (2, 5):
        alternative = next(one for one in FOUND["alternatives"] if one["k"] == other)
        choose_k(page, other)
        assert page.locator(".key .number").all_inner_texts() == [str(label) for label in range(other)]
        assert page.locator(".cards:visible .card h3").all_inner_texts() == [
            f"{label}high measure_{label}" for label in range(other)
        ]
        assert page.locator(".sizes g").count() == other
        assert page.locator(".by-cluster svg > g").count() == other
        page.locator(".key").first.click()
        assert page.locator(".open-rows").inner_text() == f"Rows ({alternative['labels'].count(0)})"
    page.locator("[data-choose-k='3'] rect").first.click()
    assert page.locator("#cluster-0").is_visible()
    assert page.locator("#dock input:checked").get_attribute("value") == "3"


def test_a_table_without_clusters_can_be_cut_all_the_same(view: Callable) -> None:
    page = view(made_up(k=1))
    assert page.locator(".legend").is_hidden()
    choose_k(page, 3)
    assert page.locator(".legend .key").count() == page.locator(".cards:visible .card").count() == 3
    assert page.locator("#clusters h2").inner_text() == "The clusters"
    page.keyboard.press("Escape")
    assert page.locator(".legend").is_hidden()
    assert page.locator("#clusters h2").inner_text() == "What a typical row looks like"


def test_colours_stay_with_groups_that_stay(view: Callable) -> None:
    findings = made_up()
    labels = findings["map"]["label"]
    two = next(one for one in findings["alternatives"] if one["k"] == 2)
    two["labels"] = [0 if label == 2 else 1 for label in labels]  # 0 and 1 become one, 2 is alone and now called 0
    page = view(findings)
    before = page.locator(".key .mark").evaluate_all("all => all.map((mark) => getComputedStyle(mark).color)")
    choose_k(page, 2)
    after = page.locator(".key .mark").evaluate_all("all => all.map((mark) => getComputedStyle(mark).color)")
    assert after[0] == before[2]
    assert after[1] == before[0 if labels.count(0) >= labels.count(1) else 1]


def test_a_rectangle_on_the_map_lists_its_rows(view: Callable) -> None:
    page = view()
    canvas = page.locator("canvas")
    canvas.evaluate("one => one.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 6, box["y"] + 6)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 6, steps=4)
    page.mouse.up()
    x = np.array(FOUND["map"]["x"])
    place = 18 + (x - x.min()) / np.ptp(x) * (box["width"] - 36)
    inside = np.flatnonzero(place <= box["width"] / 2)
    assert page.locator(".open-rows").inner_text() == f"Rows ({len(inside)})"
    page.locator(".open-rows").click()
    assert {line[0] for line in listed(page)} <= {str(FOUND["map"]["row"][i]) for i in inside}
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert page.locator(".open-rows").inner_text() == f"Rows ({len(x)})"


def test_rows_sort_by_any_column_and_save_as_they_are_chosen(view: Callable, tmp_path: Path) -> None:
    page = view()
    page.locator(".key").nth(2).click()
    page.locator(".open-rows").click()
    column = next(j for j, name in enumerate(page.locator("#drawer thead th").all_inner_texts()) if name == "measure_1")
    for way, flip in (("ascending", 1), ("descending", -1)):
        page.locator("#drawer thead button").nth(column).click()
        assert page.locator("#drawer thead th").nth(column).get_attribute("aria-sort") == way
        values = [float(line[column]) for line in listed(page)]
        assert values == sorted(values, reverse=flip < 0)
    with page.expect_download() as waiting:
        page.locator(".save-rows").click()
    waiting.value.save_as(tmp_path / "rows.csv")
    head, *lines = lines_of((tmp_path / "rows.csv").read_bytes())
    assert head == ["Row", "Id", "Cluster", "Confidence", *FOUND["rows"]["columns"]]
    places = [i for i, label in enumerate(FOUND["map"]["label"]) if label == 2]
    expected = {
        str(FOUND["map"]["row"][i]): [FOUND["rows"]["ids"][i], *(column[i] for column in FOUND["rows"]["values"])]
        for i in places
    }
    assert len(lines) == len(places)
    for row, identity, cluster, _, *cells in lines:
        assert cluster == "2"
        assert [plain(cell) for cell in (identity, *cells)] == [same(cell) for cell in expected[row]]


def test_a_column_colours_the_map_and_shows_cluster_by_cluster(view: Callable, tmp_path: Path) -> None:
    page = view()
    page.locator("#columns .column-link", has_text="measure_3").click()
    assert page.locator(".colour-by").evaluate("one => one.selectedOptions[0].textContent") == "measure_3"
    assert sorted(page.locator(".scale-of").inner_text().split()) == ["Biscoe", "Dream", "Torgersen"]
    head, *lines = lines_of(saved(page, tmp_path, "column", "CSV"))
    assert head == ["value", "all", "cluster 0", "cluster 1", "cluster 2"]
    cells = FOUND["rows"]["values"][3]
    for value, everybody, *counts in lines:
        assert int(everybody) == cells.count(value)
        assert [int(n) for n in counts] == [
            sum(cell == value and label == c for cell, label in zip(cells, FOUND["map"]["label"])) for c in range(3)
        ]
    page.locator(".colour-by").select_option("0")
    head, *lines = lines_of(saved(page, tmp_path, "column", "CSV"))
    numbers = [cell for cell in FOUND["rows"]["values"][0] if cell is not None]
    edges = [float(line[0]) for line in lines] + [float(lines[-1][1])]
    np.testing.assert_allclose([int(line[2]) for line in lines], np.histogram(numbers, bins=edges)[0], atol=1)
    assert sum(int(line[2]) for line in lines) == len(numbers)


def test_a_named_row_is_found_on_the_map_and_in_the_list(view: Callable) -> None:
    page = view()
    link = page.locator("#relations [data-row]")
    link.click()
    assert listed(page)[0][0] == link.get_attribute("data-row")
    assert page.locator("#drawer tr.looked").count() == 1


FIGURES = ["map", "sizes", "ledger", "relations", "column", "flows", "criterion-0", "criterion-1", "spectrum"]
FIGURES += ["levels"]


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_are_saved_as_svg_and_png(view: Callable, tmp_path: Path, figure: str) -> None:
    page = view()
    drawing = ElementTree.fromstring(saved(page, tmp_path, figure, "SVG"))
    assert drawing.tag == f"{SVG}svg" and len(list(drawing.iter())) > 5
    assert not [one for one in drawing.iter() if "class" in one.attrib]  # what the page's style gave is written down
    if figure == "map":
        assert len(list(drawing.iter(f"{SVG}path"))) == len(FOUND["map"]["x"])
    picture = saved(page, tmp_path, figure, "PNG")
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(picture[start : start + 4], "big") for start in (16, 20))
    _, _, wide, tall = map(float, drawing.attrib["viewBox"].split())
    assert width == pytest.approx(3 * wide, abs=1) and height == pytest.approx(3 * tall, abs=1)


def test_tables_behind_figures_are_the_findings(view: Callable, tmp_path: Path) -> None:
    page = view()
    points, selection = FOUND["map"], FOUND["selection"]
    expected = {
        "map": zip(
            points["row"], FOUND["rows"]["ids"], points["x"], points["y"], points["label"], points["confidence"]
        ),
        "sizes": [[one[key] for key in ("label", "name", "size", "fraction")] for one in FOUND["clusters"]],
        "ledger": [[one[key] for key in one] for one in FOUND["ledger"]["kinds"]],
        "spectrum": zip(range(1, 6), FOUND["spectrum"]["explained_variance_ratio"], FOUND["spectrum"]["reference"]),
        "criterion-1": zip(selection["k"], selection["criteria"][1]["values"], selection["criteria"][1]["errors"]),
        "flows": [
            [one["k"], label, name, one["sizes"][label], one["probability"]]
            for one in FOUND["alternatives"]
            for label, name in enumerate(one["names"])
        ],
    }
    for figure, rows in expected.items():
        _, *lines = lines_of(saved(page, tmp_path, figure, "CSV"))
        assert [[plain(cell) for cell in line] for line in lines] == [[same(cell) for cell in row] for row in rows]
    assert lines_of(saved(page, tmp_path, "levels", "CSV"))[1][0] == "0"


def plain(cell: str) -> object:
    return float(cell) if re.fullmatch(r"-?[\d.]+(e-?\d+)?", cell) else cell


def same(cell: object) -> object:
    """A cell as a reader of the CSV would have it."""
    return "" if cell is None else plain(str(cell))


def test_everything_by_keyboard(view: Callable) -> None:
    page = view()
    page.locator(".key").first.focus()
    for press, label in (
        ("ArrowDown", "0"),
        ("ArrowDown", "1"),
        ("ArrowRight", "2"),
        ("ArrowDown", "0"),
        ("ArrowUp", "2"),
    ):
        page.keyboard.press(press)
        assert page.locator(".key[aria-pressed=true]").get_attribute("data-label") == label
        assert page.evaluate("document.activeElement.dataset.label") == label
    assert page.locator("#said").inner_text() == "Cluster 2: high measure_2"
    page.keyboard.press("Escape")
    assert page.locator(".key[aria-pressed=true]").count() == 0
    page.locator("#dock input:checked").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".key").count() == 4
    assert page.evaluate("getComputedStyle(document.querySelector('.k:has(:focus-visible)')).outlineStyle") == "solid"
    page.locator("canvas").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.locator(".open-rows").inner_text() == "Rows (2)"
    page.keyboard.press("Enter")
    assert page.locator("#drawer").is_visible() and len(listed(page)) == 2
    assert page.evaluate("document.activeElement.classList.contains('listed')")
    page.keyboard.press("Escape")
    assert page.locator("#drawer").is_hidden()
    assert page.evaluate("document.activeElement.classList.contains('open-rows')")


def test_hostile_cells_stay_text_in_lists_tips_and_files(view: Callable, tmp_path: Path) -> None:
    findings = poison(made_up())
    page = view(findings)
    choose_k(page, 4)
    page.locator(".key").first.click()
    page.locator(".open-rows").click()
    assert any(HOSTILE in cell for cell in listed(page)[0])
    page.locator(".colour-by").select_option("3")
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    for figure in ("column", "flows", "relations"):
        ElementTree.fromstring(saved(page, tmp_path, figure, "SVG"))
    assert any(HOSTILE in cell for line in lines_of(saved(page, tmp_path, "flows", "CSV")) for cell in line)
    assert json.loads(page.locator("#findings").text_content()) == findings


@pytest.mark.parametrize("absent", ["rows", "alternatives"])
def test_without_rows_or_alternatives_the_rest_is_linked(view: Callable, absent: str) -> None:
    page = view(made_up() | {absent: None})
    page.locator(".key").first.click()
    page.locator(".open-rows").click()
    assert len(listed(page)) == min(100, FOUND["map"]["label"].count(0))


def test_ten_clusters_make_no_endless_page(view: Callable) -> None:
    findings = made_up(n_rows=2000, n_columns=60, k=10)
    assert view(findings).evaluate("document.documentElement.scrollHeight") < 9000
    phone = view(findings, viewport=PHONE)
    assert phone.locator("#clusters").bounding_box()["height"] < 3200


def test_on_a_phone_a_finger_draws_only_when_asked(view: Callable) -> None:
    page = view(viewport=PHONE, has_touch=True, is_mobile=True)
    assert page.evaluate("getComputedStyle(document.querySelector('canvas')).touchAction") == "pan-y"
    page.locator(".brush").tap()
    assert page.evaluate("getComputedStyle(document.querySelector('canvas')).touchAction") == "none"
