"""The page of plain text says each thing once, and what a group is with how sure that is."""

import io

import numpy as np
import pytest
from rich.console import Console

import unmix
from unmix.exploration.findings.records import Associations, Cluster, Column, Rule, TypicalRow
from unmix.exploration.findings.relation_lines import relation_blocks
from unmix.exploration.findings.summary import column_lines, group_lines
from unmix.exploration.findings.terminal import show


@pytest.fixture(scope="module")
def findings():
    rng = np.random.default_rng(0)
    found = unmix.explore({"x": np.r_[rng.normal(size=40), rng.normal(size=40) + 9], "y": rng.normal(size=80)}, max_k=3)
    found.selection.verdict = "Clusters, but no number stands out: 2 (40 %)."
    return found


@pytest.mark.slow_without_jit
def test_no_word_is_said_twice_on_end(findings):
    console = Console(file=io.StringIO(), width=200)
    show(findings, console)
    for text in (repr(findings), console.file.getvalue()):
        assert "Answer: Clusters, but no number stands out" in text
        assert "rule: x ≥ " in text


def test_a_rule_is_said_with_what_it_finds_and_how_often_it_is_right():
    odd = [TypicalRow(7, {}, "x 9: 4.0 sd above its cluster"), TypicalRow(9, {}, "other")]
    rule = Rule("x ≥ 2", [], 0.9, 0.75)
    lines = list(group_lines(Cluster(0, 1, 0.5, "", None, None, [], [TypicalRow(3, {})], rule, [], odd)))
    assert lines == [
        "rule: x ≥ 2 (holds for 75 % of it; 90 % of such rows are in it)",
        "typical rows: 3",
        "odd: row 7 (x 9: 4.0 sd above its cluster), 9",
    ]


@pytest.mark.slow_without_jit
def test_the_answer_comes_before_the_columns_and_a_row_is_odd_once(findings):
    text = repr(findings)
    assert text.index("Answer: ") < text.index("rule: ") < text.index("Columns\n") < text.index("Reproduce: ")
    said = [TypicalRow(3, {}, "x 9: 4.0 sd above its cluster")], [TypicalRow(3, {}, "again"), TypicalRow(5, {}, "far")]
    findings.clusters[0].odd_rows, findings.associations = said[0], Associations("None.", odd_rows=said[1])
    assert dict(relation_blocks(findings))["Odd rows"] == ["row 5: far"]


def test_neighbouring_columns_treated_alike_share_a_line():
    def column(name, used=True):
        return Column(name, "numeric", used, "used" if used else "left out", 0, 9, {})

    columns = [column("id", False), *(column(f"s{j}") for j in range(50)), *(column(f"t{j}", False) for j in range(3))]
    lines, left = column_lines(columns)
    assert [line.name for line in lines] == ["id", "s0 … s49 (50)", "t0", "t1", "t2"] and left == 0
    assert [line.used for line in lines] == [False, True, False, False, False]
    many, left = column_lines([column(f"c{j}", j % 2 == 0) for j in range(60)])
    assert len(many) + left == 60 and left == 20


@pytest.mark.parametrize(("precision", "shown"), [(0.68, False), (0.75, False), (0.95, True)])
def test_a_rule_that_holds_as_often_outside_is_not_said(precision, shown):
    """Of a cluster of 71 % of the rows, a rule that is right for 68 % tells nothing."""
    cluster = Cluster(0, 71, 0.71, "", None, None, [], [TypicalRow(3, {})], Rule("x ≥ -4", [], precision, 0.93))
    assert any("rule" in line for line in group_lines(cluster)) == shown
