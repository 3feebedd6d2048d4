"""Ledger, levels and relations: drawn where there is something, to scale, and absent where there is nothing."""

import re

import pytest

from tests.report.made_up import made_up
from unmix.report.bits import ledger, plus_minus
from unmix.report.drawing.bars import Bar, bars
from unmix.report.levels import TALL, levels
from unmix.report.relations import relations


def numbers(markup: str, name: str, kind: str = "") -> list[float]:
    return [float(value) for value in re.findall(rf'<rect[^>]* {name}="([\d.]+)"[^>]*class="{kind}', markup)]


def test_bars_are_as_long_as_their_values_on_either_side_of_zero() -> None:
    drawn = bars("Bits.", [Bar("a", 3.0, 0.1, "3"), Bar("b", 1.5, 0.0, "1.5"), Bar("c", -0.5, 0.2, "−0.5")])
    widths = numbers(drawn, "width", "bar")
    assert widths[0] / widths[1] == pytest.approx(2, abs=0.02)
    assert widths[1] / widths[2] == pytest.approx(3, abs=0.1)
    starts = numbers(drawn, "x", "bar")
    assert starts[0] == starts[1] == pytest.approx(starts[2] + widths[2], abs=0.02)
    assert drawn.count("chance thin") == 6  # a line and two ends for each error there is


def test_the_leader_of_the_ledger_is_marked_and_the_measure_is_no_bar() -> None:
    drawn = str(ledger(made_up()))
    assert len(numbers(drawn, "width", "bar")) == 3
    assert drawn.count('class="bar"') == 1
    assert (
        "Linear factors: 2<" in drawn
        and "Factors and groups: 2 factors, 3 groups<" in drawn
        and "3.5 ± 0.1 bits" in drawn
    )


def test_blocks_of_the_tree_are_as_tall_as_shares() -> None:
    findings = made_up()
    drawn = str(levels(findings))
    tall = [height + 2 for height in numbers(drawn, "height", "fill block")]
    shares = [level["fraction"] for level in findings["levels"]]
    expected = [TALL * share for share in (shares[0], shares[0] / 2, shares[0] / 2, *shares[1:])]
    assert tall == pytest.approx(expected, abs=0.05)
    assert drawn.count("<li>") == len(shares) + 2


@pytest.mark.parametrize("absent", [None, {}, []])
def test_nothing_is_drawn_from_nothing(absent: object) -> None:
    empty = made_up() | {"ledger": absent, "levels": absent, "associations": absent}
    assert ledger(empty) is levels(empty) is relations(empty) is None


def test_relations_say_what_there_is() -> None:
    findings = made_up()
    findings["associations"].update(pairs=[], described=[], odd_rows=[])
    drawn = str(relations(findings))
    assert "Gaps" in drawn and "Columns that repeat others" in drawn
    assert "Strongest" not in drawn and "Rows that stand out" not in drawn
    findings["associations"]["gaps"] = [f"gap {j}" for j in range(30)]
    assert "… and 22 more" in str(relations(findings))


def test_a_ledger_in_which_nothing_saves_bits_is_a_sentence() -> None:
    findings = made_up()
    for kind in findings["ledger"]["kinds"]:
        kind |= {"saved": 0.01, "saved_error": 0.03}
    findings["ledger"]["leader"] = "independent"
    drawn = str(ledger(findings))
    assert "<svg" not in drawn and "Tried: linear factors, groups, factors and groups." in drawn


def test_the_tree_is_drawn_only_where_a_cluster_splits() -> None:
    findings = made_up()
    for level in findings["levels"]:
        level |= {"children": [], "probability": 0.0}
    flat = str(levels(findings))
    assert "none splits again" in flat and "<svg" not in flat and "<li>" not in flat


def test_a_long_name_of_a_bar_goes_on_below_and_moves_the_bars_after_it() -> None:
    words = "bill_length_mm goes with species: highest for Chinstrap"
    drawn = bars("Bits.", [Bar(words, 2.0, 0.1, "2"), Bar("short", 1.0, 0.1, "1")])
    assert " ".join(re.findall(r'class="bar-name">([^<]*)<', drawn)) == f"{words} short"
    first, second = (float(y) for y in re.findall(r'<rect[^>]* y="([\d.]+)"[^>]*class="bar', drawn))
    assert second - first == 40 and first > 20


@pytest.mark.parametrize(
    ("bits", "error", "words"),
    [(1.8, 0.21, "1.8 ± 0.2"), (0.7, 0.04, "0.70 ± 0.04"), (-0.5, 0.02, "−0.50 ± 0.02"), (2.0, None, "2.00")],
)
def test_bits_and_their_error_have_the_same_decimals(bits: float, error: float | None, words: str) -> None:
    assert plus_minus(bits, error) == words


def test_a_tiny_p_value_is_said_to_be_small() -> None:
    findings = made_up()
    findings["associations"]["pairs"][0]["p_value"] = 6.2e-13
    drawn = str(relations(findings))
    assert "&lt;\N{NO-BREAK SPACE}0.001" in drawn and "10⁻" not in drawn
