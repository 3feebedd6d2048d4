"""Numbers written in every custom come back as they were, alone and mixed; what could be either is said."""

import numpy as np
import polars as pl
import pytest

from unmix.exploration.columns.kinds import kind_of
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.explore import explore
from unmix.io.read import read_bytes
from unmix.io.text import cells
from unmix.io.text.cells import as_numbers, uses_decimal_comma
from unmix.separation.recording.read_signals import from_table

# decimal mark, mark between thousands
CUSTOMS = {
    "plain": (".", ""),
    "English": (".", ","),
    "German": (",", "."),
    "German plain": (",", ""),
    "Swiss": (".", "'"),
    "Swiss typographic": (".", "\u2019"),
    "French": (",", "\u202f"),
    "no-break": (",", "\u00a0"),
    "space": (".", " "),
}


def written(value, custom, digits):
    """A number by the format of the language, its marks replaced."""
    decimal, thousands = CUSTOMS[custom]
    text = f"{value:,.{digits}f}"
    return text.translate({ord(","): thousands, ord("."): decimal})


def values(seed, n=60):
    rng = np.random.default_rng(seed)
    return np.round(rng.choice([-1, 1], n) * 10 ** rng.uniform(-1, 7, n), 2)


def column(given, name="x"):
    return pl.Series(name, given, dtype=pl.String)


@pytest.mark.parametrize("table", [False, True], ids=["dot table", "comma table"])
@pytest.mark.parametrize("custom", CUSTOMS)
@pytest.mark.parametrize("seed", range(3))
def test_what_was_written_is_read(custom, seed, table):
    given = values(seed)
    found = as_numbers(column([written(v, custom, 2) for v in given]), table)
    assert found.values.to_list() == given.tolist()
    assert found.doubts == []


@pytest.mark.parametrize("seed", range(6))
def test_mixed_customs_are_read_cell_by_cell_and_said(seed):
    rng = np.random.default_rng(seed)
    given = values(seed)
    customs = rng.choice(list(CUSTOMS), len(given)).tolist()
    found = as_numbers(column([written(v, custom, 2) for v, custom in zip(given, customs)]), bool(seed % 2))
    assert found.values.to_list() == given.tolist()
    assert "different decimal marks" in found.doubts[0]


@pytest.mark.parametrize("custom", CUSTOMS)
def test_exponents_and_per_cent(custom):
    decimal = CUSTOMS[custom][0]
    given = ["-1.5e3", "2.25E-2", "+3.125e+1", "1.234e5", "7"]
    found = as_numbers(column([text.replace(".", decimal) for text in given]), False)
    assert found.values.to_list() == [float(text) for text in given]
    share = as_numbers(column([f"{written(v, custom, 1)} %" for v in (1234.5, 2.5, -0.5)]), False)
    assert share.values.to_list() == [1234.5, 2.5, -0.5]
    assert as_numbers(column(["\u22125.5", "6"]), False).values.to_list() == [-5.5, 6.0]


def test_the_two_marks_side_by_side():
    for table in (False, True):
        assert as_numbers(column(["5.6", "5,1"]), table).values.to_list() == [5.6, 5.1]
        assert as_numbers(column(["1,037.50", "1.037,50"]), table).values.to_list() == [1037.5, 1037.5]


@pytest.mark.parametrize(
    ("given", "table", "expected", "doubt"),
    [
        (["1,234", "5.6"], True, [1234.0, 5.6], False),
        (["1.234", "5,1"], False, [1234.0, 5.1], False),
        (["1,234", "0,125"], False, [1.234, 0.125], False),
        (["1,234", "7,654,321"], True, [1234.0, 7654321.0], False),
        (["1.234", "12"], False, [1.234, 12.0], False),
        (["1,234", "12"], False, [1234.0, 12.0], True),
        (["1,234", "12"], True, [1.234, 12.0], True),
        (["1.234", "12"], True, [1234.0, 12.0], True),
        (["1.234", "123456"], True, [1.234, 123456.0], False),
        (["1,234", "123456"], True, [1.234, 123456.0], True),
        (["1500", "12,345"], False, [1500.0, 12345.0], True),
    ],
)
def test_open_cells_follow_the_column_then_the_table(given, table, expected, doubt):
    found = as_numbers(column(given), table)
    assert found.values.to_list() == expected
    assert bool(found.doubts) == doubt
    assert not doubt or "was read as" in found.doubts[0]


@pytest.mark.parametrize("given", [["1.234", "1,234"], ["12345", "1,234"], ["5.6", "5,1", "1,234"]], ids=str)
def test_what_cannot_be_told_is_not_read_as_something_else(given):
    kind = kind_of(column(given * 3))
    assert kind.kind not in ("numeric", "date")
    assert "could have a decimal mark or one between thousands" in kind.doubts[0]
    rare = as_numbers(column(["5.6", "5,1"] * 20 + ["1,234"]), False)
    assert rare.values.to_list() == [5.6, 5.1] * 20 + [None]


@pytest.mark.parametrize("given", ["1,23,456", "1.23.456", "1,2345.6", "1.2345,6", "12 34", "1'2345", "1,234.567,8"])
def test_groups_that_are_not_of_three_are_no_numbers(given):
    assert as_numbers(column([given, given[:-1] + "9"]), False) is None
    assert as_numbers(column([given, given[:-1] + "9"]), True) is None


def test_most_columns_decide_for_the_table():
    comma, dot, text = column(["1,5", "2"]), column(["0.5", "2"]), column(["3,5", "see page 7,5"])
    assert uses_decimal_comma([comma]) and uses_decimal_comma([comma, comma, dot])
    assert not uses_decimal_comma([comma, dot])
    assert not uses_decimal_comma([text]) and not uses_decimal_comma([])
    assert uses_decimal_comma([column(["1.234.567", "8"])])


def test_marks_are_looked_at_once_a_table(monkeypatch):
    """400 columns: as many looks as columns, not their square."""
    looks = []
    monkeypatch.setattr(cells, "marks_of", lambda given, look=cells.marks_of: looks.append(1) or look(given))
    frame = pl.DataFrame({f"c{j}": ["1,5", "2,5", f"{j},75"] for j in range(40)})
    prepared = prepare(frame, 0)
    assert len(looks) <= 2 * frame.width
    assert prepared.kinds[3].values.to_list() == [1.5, 2.5, 3.75]


def test_doubts_reach_the_reader():
    rng = np.random.default_rng(0)
    sizes = [f"{v:.2f}" for v in rng.uniform(1, 9, 60)]
    frame = pl.DataFrame(
        {
            "size": [size if i % 2 else size.replace(".", ",") for i, size in enumerate(sizes)],
            "count": [f"{v:,}" for v in rng.integers(1000, 99999, 60)],
            "other": rng.normal(size=60),
        }
    )
    said = " ".join(explore(frame, seed=0).warnings)
    assert "In column 'size' both" in said and "In column 'count'" in said


def test_signals_are_read_the_same_way():
    text = "a;b\n" + "\n".join(f"{v:.2f};{v:.2f}".replace(".", ",", 1) for v in (1.25, 2.5, 4.75, 1037.5))
    found = from_table(read_bytes(text.encode(), "signals.csv"))
    assert np.array_equal(found[0], [[v, v] for v in (1.25, 2.5, 4.75, 1037.5)])
