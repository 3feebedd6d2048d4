"""Numbers with a currency, a unit or parentheses come back as they were; names with digits stay names."""

import numpy as np
import polars as pl
import pytest

from unmix.io.text.cells import as_dates, as_numbers, blank_missing, contradiction, uses_decimal_comma

given = np.round(np.random.default_rng(0).normal(0, 50, 40), 2)

DRESSES = {
    "dollar": lambda v: f"${v:.2f}" if v >= 0 else f"-${-v:.2f}",
    "dollar of a country": lambda v: f"US${v:.2f}" if v >= 0 else f"(US${-v:.2f})",
    "euro": lambda v: f"{v:.2f} €".replace(".", ","),
    "franc": lambda v: f"CHF {v:.2f}",
    "per cent": lambda v: f"{v:.2f} %",
    "unit": lambda v: f"{v:.2f} kg",
    "unit, glued": lambda v: f"{v:.2f}mm",
    "degrees": lambda v: f"{v:.2f}°C",
    "word": lambda v: f"{v:.2f} points",
    "accountant": lambda v: f"{v:.2f}" if v >= 0 else f"({-v:.2f})",
    "accountant, within the currency": lambda v: f"${v:.2f}" if v >= 0 else f"$({-v:.2f})",
    "minus behind": lambda v: f"{v:.2f}" if v >= 0 else f"{-v:.2f}-",
    "footnotes": lambda v: f"{v:.2f}" if v >= 0 else f"{v:.2f}**",
    "references": lambda v: f"{v:.2f}" if v >= 0 else f"{v:.2f} [1]",
    "millions": lambda v: f"{v:.2f}M",
    "dash": lambda v: f"{v:.2f}".replace("-", "\u2013"),
    "about": lambda v: f"~{v:.2f}",
    "minus sign": lambda v: f"{v:.2f}".replace("-", "\u2212"),
}


def column(cells):
    return pl.Series("x", cells, dtype=pl.String)


@pytest.mark.parametrize("dress", DRESSES)
def test_what_was_written_is_read(dress):
    found = as_numbers(column([DRESSES[dress](v) for v in given] + [None]), False)
    assert found.values.to_list() == [*given.tolist(), None]
    assert found.doubts == []


@pytest.mark.parametrize(
    "cells",
    [
        [f"A{i}" for i in range(9)],
        [f"{i}b" for i in range(9)],
        [f"INV{i:03}" for i in range(9)],
        [f"{i}-{i + 1}" for i in range(9)],
        [f"N{i}UW" for i in range(9)],
        ["(a)", "(b)"],
        [f"{i}th" for i in range(4, 9)],
        ["10:30", "11:45"],
    ],
)
def test_names_with_digits_are_no_numbers(cells):
    assert as_numbers(column(cells), False) is None


@pytest.mark.parametrize(
    "cells", [["12 kg", "500 g", "3 kg"], ["$5", "€6"], ["5 %", "0.05", "7 %"], ["2k", "1.5k", "900"]]
)
def test_marks_that_differ_are_not_mixed_and_that_is_said(cells):
    assert as_numbers(column(cells * 5), False) is None
    assert "different marks" in contradiction(column(cells * 5))[0]


def test_a_value_beyond_a_limit_counts_as_the_limit_and_that_is_said():
    found = as_numbers(column([f"{v:.2f}" if v > 1 else "< 1.0" for v in given] + [">99", None]), False)
    assert found.values.to_list() == [*np.where(given > 1, given, 1.0).tolist(), 99.0, None]
    assert found.doubts == found.notes
    assert f"{(given <= 1).sum() + 1} cells beyond a limit ('< 1.0', '>99')" in found.doubts[0]


@pytest.mark.parametrize("cells", [["<1", "1", "2", ">2"], ["<18", "18-30", ">30"], ["<5", ">5"]])
def test_steps_of_a_scale_are_no_limits(cells):
    assert as_numbers(column(cells * 9), False) is None


def test_a_price_without_cents_is_not_negative():
    found = as_numbers(column(["CHF 3.-", "CHF 12.50", "CHF 7.–", "CHF 8.--"] * 5), False)
    assert found.values.to_list()[:4] == [3.0, 12.5, 7.0, 8.0]


@pytest.mark.parametrize(
    "word",
    [
        *("N.A.", "\\N", "#DIV/0!", "unknown", "UNK", "not available", "k.A.", "TBD", "…", "#####", "undefined"),
        *("NaT", "n.d.", "-1.#IND", "1.#QNAN", "*", "#SPILL!", "no data", "(null)", "—"),
    ],
)
def test_words_for_no_value_are_missing_however_many(word):
    cells = blank_missing(column([word if i % 4 == 0 else f"{v:.2f}" for i, v in enumerate(given)]))
    found = as_numbers(cells, False)
    assert found.values.null_count() == 10
    assert found.values.drop_nulls().to_list() == [v for i, v in enumerate(given) if i % 4]


def test_the_comma_of_prices_counts_for_the_table():
    assert uses_decimal_comma([column(["1,50 €", "2,75 €"])])


@pytest.mark.parametrize(
    ("cells", "first"),
    [
        (["1974Q1", "1974Q2"], "1974-01-01"),
        (["1974-Q3", "1975-Q4"], "1974-07-01"),
        (["2001-02", "2001-03"], "2001-02-01"),
        (["Jan 2000", "Feb 2000"], "2000-01-01"),
        (["Jan 1 2000", "Feb 1 2000"], "2000-01-01"),
    ],
)
def test_months_and_quarters_are_dates(cells, first):
    assert str(as_dates(column(cells))[0]) == first
