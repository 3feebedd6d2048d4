"""Numbers as a reader wants them."""

from itertools import pairwise

import pytest

from unmix.report.drawing.figure import tick_labels
from unmix.report.drawing.numbers import breakable, cell, count, number, percent, size, true_minus, unbroken
from unmix.report.drawing.scale import Scale, spanning


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (1234567, "1,234,567"),
        (-3, "−3"),
        (3.14159, "3.142"),
        (41.50, "41.5"),
        (12345.678, "12,346"),
        (0.00123456, "0.001235"),
        (1.5e-7, "1.5×10⁻⁷"),
        (-2e300, "−2×10³⁰⁰"),
        (10**15, "1×10¹⁵"),
        (None, "–"),
        (float("nan"), "–"),
        (True, "–"),
    ],
)
def test_number(value: object, shown: str) -> None:
    assert number(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0 %"), (1, "100 %"), (0.345, "34 %"), (0.0349, "3.5 %"), (0.9999, "> 99 %"), (1e-6, "< 0.1 %"), (None, "–")],
)
def test_percent_never_rounds_to_a_false_end(value: object, shown: str) -> None:
    assert percent(value).replace("\N{NO-BREAK SPACE}", " ") == shown


def test_small_words() -> None:
    assert count(1, "row") == "1 row"
    assert count(0, "row") == "0 rows"
    assert size(13468) == "13.5 kB"
    assert size(999) == "999 bytes"
    assert size(7.2e9) == "7.2 GB"


def test_cells() -> None:
    assert "missing" in cell(None)
    assert "missing" in cell(float("nan"))
    assert cell(True) == "yes"
    assert breakable("body_mass_g") == "body_<wbr>mass_<wbr>g"
    assert breakable("R05 lead: deploy:production and 1 more") == "R05 lead: deploy:<wbr>production and 1 more"
    assert max(map(len, breakable("<" * 70).replace("&lt;", "<").split("<wbr>"))) == 24
    assert cell(2007) == "2007"
    assert cell(-38.1000001) == "−38.1"
    assert cell("x" * 500).endswith("…")
    assert len(cell("x" * 500)) == 80


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3.2, 17), (1e-9, 2e-9), (5000, 5001), (-1e300, 1e300)])
def test_ticks_are_round_and_inside(low: float, high: float) -> None:
    ticks = Scale(low, high, 0, 100).ticks()
    assert 2 <= len(ticks) <= 6
    assert all(low - 1e-9 * abs(low) <= tick <= high + 1e-9 * abs(high) for tick in ticks)
    leading = {f"{(b - a):.1e}"[0] for a, b in pairwise(ticks)}
    assert leading <= {"1", "2", "5"}


@pytest.mark.parametrize("values", [[], [None, float("nan")], [3.0], [0.0], [1.7e308, -1.7e308], [7, 7]])
def test_a_scale_exists_for_any_values(values: list) -> None:
    scale = spanning(values, 0, 100)
    assert scale.low < scale.high
    assert scale.ticks()
    assert 0 <= scale(5.0) <= 100


def test_a_minus_inside_a_sentence_is_one_and_a_hyphen_stays() -> None:
    assert true_minus("-3.2 ≤ x-1 < -1 and z = covid-19") == "−3.2 ≤ x-1 < −1 and z = covid-19"


def test_numbers_are_not_parted_from_what_belongs_to_them() -> None:
    words = unbroken("They save 2.3 ± 0.2 bits (p < 0.001), K = 3 has 80 % of it.")
    assert words.split(" ") == ["They", "save", "2.3_±_0.2".replace("_", "\N{NO-BREAK SPACE}"), "bits"] + [
        part.replace("_", "\N{NO-BREAK SPACE}") for part in ("(p_<_0.001),", "K_=_3", "has", "80_%", "of", "it.")
    ]


def test_values_along_a_chart_fit_or_are_as_short_as_can_be() -> None:
    assert [words for _, words in tick_labels([10500.0, 12500.0])] == ["10.5k", "12.5k"]
    assert [words for _, words in tick_labels([0.0, 2e6])] == ["0", "2M"]
    assert [words for _, words in tick_labels([125000.0, 130000.0])] == ["125k", "130k"]
