"""The page of plain text says each thing once, and what a group is with how sure that is."""

import io

import numpy as np
import pytest
from rich.console import Console

import unmix
from unmix.exploration.findings.records import Cluster, Rule, TypicalRow
from unmix.exploration.findings.summary import group_lines
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
    lines = list(group_lines(Cluster(0, 1, 1.0, "", None, None, [], [TypicalRow(3, {})], rule, [], odd)))
    assert lines == [
        "rule: x ≥ 2 (holds for 75 % of it; 90 % of such rows are in it)",
        "typical rows: 3",
        "odd: row 7 (x 9: 4.0 sd above its cluster), 9",
    ]
