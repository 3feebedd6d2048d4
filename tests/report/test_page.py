"""The page without a browser: complete, the same every time, small, and with every number inside."""

import copy
import json
import re
from pathlib import Path

import numpy as np
import pytest

from tests.report.made_up import made_up
from tests.report.seen import Seen
from unmix.exploration.findings.records import (
    Cluster,
    Column,
    CriterionCurve,
    Distinct,
    Findings,
    Map,
    Missing,
    Selection,
    Source,
    Spectrum,
    TypicalRow,
)
from unmix.report import render, write
from unmix.report.drawing.markup import element
from unmix.report.embed import MOST_POINTS, json_findings
from unmix.report.page import SECTIONS
from unmix.report.policy import digest

HOSTILE = '</script><img src=x onerror="window.hacked=1">\u2028&amp;'


def embedded(page: str) -> dict:
    found = re.search(r'<script type="application/json" id="findings">(.*?)</script>', page, flags=re.DOTALL)
    assert found is not None
    return json.loads(found.group(1))


def poison(value: object) -> object:
    """Every string of the tree made hostile, except the words the page decides by."""
    if isinstance(value, dict):
        return {key: poison(item) if key not in ("kind", "created") else item for key, item in value.items()}
    if isinstance(value, list):
        return [poison(item) for item in value]
    return f"{value}{HOSTILE}" if isinstance(value, str) else value


CASES = {
    "three clusters": made_up(),
    "no structure": made_up(k=1),
    "one column": made_up(n_columns=1, k=2),
    "sixty columns, twelve clusters": made_up(n_rows=2000, n_columns=60, k=12),
    "twenty-five clusters": made_up(n_rows=2000, k=25),
    "two rows": made_up(n_rows=2, k=1),
}


@pytest.mark.parametrize("findings", CASES.values(), ids=CASES.keys())
def test_embedded_numbers_are_the_findings(findings: dict) -> None:
    assert embedded(render(findings)) == findings


def test_the_same_findings_give_the_same_bytes() -> None:
    assert render(made_up()) == render(copy.deepcopy(made_up()))


def test_findings_are_not_changed() -> None:
    findings = made_up(n_rows=30_000)
    before = copy.deepcopy(findings)
    render(findings)
    assert findings == before


def test_the_verdict_comes_first_and_how_to_reproduce_last() -> None:
    page = render(made_up())
    assert re.search(r"<h1[^>]*>(.*?)</h1>", page)[1] == "3 groups, and they replicate"
    assert "<h1>No cluster structure beyond chance</h1>" in render(made_up(k=1))
    order = re.findall(r"<section[^>]* id=\"(\w+)\"", page)
    first = ["verdict", "clusters", "map", "structure", "levels", "relations", "columns"]
    assert order == [*first, "choice", "dimensions", "sure", "reproduce"]
    assert "unmix explore table.csv --seed 0" in Seen(page.split('id="reproduce"')[1]).content
    assert "0.1.0" in page.split('id="reproduce"')[1]


def test_a_long_verdict_is_split_into_headline_and_evidence() -> None:
    findings = made_up()
    findings["selection"]["verdict"] = "3 clear clusters: each is found again when rows are drawn anew (overlap 0.91)."
    page = render(findings)
    assert "<h1>3 clear clusters</h1>" in page
    assert "Each is found again when rows are drawn anew (overlap 0.91)." in page


def test_probabilities_stand_beside_the_answer() -> None:
    page = render(made_up())
    assert "Clusters are real" in page and "97 %" in page
    assert "3 clusters 90 %, no clusters 3 %, another number 7 %." in page
    without = made_up()
    without["selection"].update(probability=None, probabilities=None)
    assert "Clusters are real" not in render(without) and "How probable" not in render(without)


def test_findings_themselves_work_too() -> None:
    tree = made_up()
    kinds = {"source": Source, "missing": Missing, "spectrum": Spectrum, "map": Map}
    parts = {name: kind(**tree[name]) for name, kind in kinds.items()}
    criteria = [CriterionCurve(**criterion) for criterion in tree["selection"]["criteria"]]
    clusters = []
    for cluster in tree["clusters"]:
        distinct = [Distinct(**item) for item in cluster["distinct"]]
        rows = [TypicalRow(**row) for row in cluster["typical_rows"]]
        clusters.append(Cluster(**cluster | {"distinct": distinct, "typical_rows": rows}))
    parts["selection"] = Selection(**tree["selection"] | {"criteria": criteria})
    parts["columns"] = [Column(**column) for column in tree["columns"]]
    findings = Findings(**tree | parts | {"clusters": clusters}, labels=np.zeros(300, int))
    assert findings.to_dict() == tree
    assert render(findings) == render(tree)


PARTS = ["map", "spectrum", "missing", "clusters", "warnings", "caveats", "columns"]
PARTS += ["levels", "alternatives", "associations", "ledger", "rows"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("absent", [None, "empty"])
def test_a_missing_part_leaves_the_rest(part: str, absent: str | None) -> None:
    findings = made_up()
    findings[part] = type(findings[part])() if absent else None
    assert "3 groups, and they replicate" in render(findings)


def test_nulls_everywhere() -> None:
    findings = made_up()
    for column in findings["columns"]:
        column.update(n_missing=None, n_unique=None, summary={}, what=None)
    for cluster in findings["clusters"]:
        cluster.update(stability=None, confidence=None, name=None, fraction=None)
        for distinct in cluster["distinct"]:
            distinct.update(inside=None, overall=None, effect=None)
        for row in cluster["typical_rows"]:
            row["values"] = dict.fromkeys(row["values"])
    for criterion in findings["selection"]["criteria"]:
        criterion.update(values=[None] * len(criterion["values"]), errors=None, best=None)
    findings["selection"].update(confidence=None, verdict=None)
    findings["source"].update(bytes=None, how=None)
    findings["map"].update(confidence=None)
    page = render(findings)
    assert "<h1>3 groups</h1>" in page
    assert "None" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert "nan" not in re.findall(r'"([^"]*)"', page)


def test_not_a_number_becomes_null() -> None:
    findings = made_up()
    findings["clusters"][0]["stability"] = float("nan")
    findings["map"]["x"][0] = np.float64("inf")
    found = embedded(render(findings))
    assert found["clusters"][0]["stability"] is None
    assert found["map"]["x"][0] is None


def test_hostile_text_stays_text() -> None:
    findings = poison(made_up())
    for cluster in findings["clusters"]:
        for row in cluster["typical_rows"]:
            row["values"] = {HOSTILE + name: HOSTILE for name in row["values"]}
    page = render(findings)
    assert "<img" not in page
    assert embedded(page) == findings
    # The template's own elements and not one more: three scripts, one style, no handler attribute.
    assert len(re.findall(r"<script", page)) == len(re.findall(r"</script", page)) == 3
    assert len(re.findall(r"</?style", page)) == 2
    assert set(Seen(page).attributes) == set(Seen(render(made_up())).attributes)
    assert not [name for name in Seen(page).attributes if name.startswith("on") or name in ("style", "src")]


def test_nothing_outside_is_named() -> None:
    page = render(made_up())
    assert all(address.startswith(("#", "data:")) for address in Seen(page).addresses)
    assert "url(" not in page
    assert "@import" not in page


def test_the_policy_allows_exactly_the_blocks_in_the_page() -> None:
    page = render(made_up())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#x27;", "'")
    style = re.search(r"<style>(.*?)</style>", page, flags=re.DOTALL)[1]
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert all(digest(block) in policy for block in [style, *scripts])
    assert policy.count("sha256-") == 1 + len(scripts)


def test_large_tables_stay_small_and_keep_rare_clusters() -> None:
    findings = made_up(n_rows=100_000, n_columns=60, k=12)
    findings["map"]["label"][:60] = [12] * 60
    page = render(findings)
    assert len(page.encode()) < 2_000_000
    shown = json_findings(findings)["map"]
    assert shown["n_shown"] == len(shown["x"]) == len(shown["row"]) <= MOST_POINTS + 13 * 50
    assert shown["label"].count(12) >= 50
    kept = {row: i for i, row in enumerate(findings["map"]["row"])}
    exact = [findings["map"]["x"][kept[row]] for row in shown["row"]]
    np.testing.assert_allclose(shown["x"], exact, rtol=1e-4)


LARGE = {
    "columns": {"n_rows": 800, "n_columns": 1200, "k": 10, "n_points": 400},
    "clusters": {"n_rows": 3000, "n_columns": 120, "k": 25, "n_points": 2500},
}


@pytest.mark.parametrize("shape", LARGE.values(), ids=LARGE.keys())
def test_any_table_makes_a_page_below_two_megabytes(shape: dict) -> None:
    findings = made_up(**shape)
    page = render(findings)
    assert len(page.encode()) < 2_000_000
    rows = embedded(page)["rows"]
    n = len(rows["columns"])
    assert rows["values"] == findings["rows"]["values"][:n] and rows["columns"] == findings["rows"]["columns"][:n]
    assert rows["sentence"].endswith(f"{n} of these columns fit into it.")
    assert embedded(page)["map"] == findings["map"]
    assert page.count("<span data-column=") == min(200, shape["n_columns"])


def test_write_replaces_whole_files_only(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert write(made_up(), path) == path
    before = path.read_bytes()
    assert before.decode() == render(made_up())
    broken = made_up()
    del broken["source"]
    with pytest.raises(KeyError):
        write(broken, path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


def test_sections_of_ones_own_are_checked():
    findings = made_up()

    def empty(tree):
        return None

    def elsewhere(tree):
        return element("section", "text", id="there")

    assert "there" in render(findings, [("there", "There", elsewhere), ("empty", "Empty", empty)])
    with pytest.raises(ValueError, match="'here' has no element with id='here'"):
        render(findings, [("here", "Here", elsewhere)])
    with pytest.raises(ValueError, match="two sections have the id 'map'"):
        render(findings, [*SECTIONS, ("map", "Map", elsewhere)])
    with pytest.raises(TypeError, match="is no section; give"):
        render(findings, [*SECTIONS, elsewhere])
