r"""What people write around numbers: a currency, a unit, a per cent sign, parentheses for minus.

$1.50 · 1,50 € · USD 12 · 0,5 % · (1.50) · $(1.50) · 1.50- · CHF 3.- · 12 kg · 1.5 M · 12 [1] · 0.3** · <0.5 · ~12

Taken off where one and the same mark stands in the cells of a column: kilograms beside grams are no numbers until
somebody says which. Letters that are neither a currency nor a unit belong to a name (A12, 12b), unless a space parts
them from the number. A value beyond a limit (<0.5, >100) counts as the limit, if the other cells are measurements.
"""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

_least_share = 0.95  # of cells that have to be numbers in some dress
_first_look = 200  # cells that tell whether a column is worth the look
_currency = r"(?:[A-Z]{0,3}\p{Sc}|USD|EUR|GBP|CHF|JPY|CNY|SEK|NOK|DKK|PLN|CZK|CAD|AUD|NZD|INR|BRL|MXN|ZAR|Fr\.|Rs\.?)"
_units = (
    "kg|g|mg|µg|μg|t|lbs?|oz|km|m|cm|mm|µm|μm|nm|mi|ft|in|yd|ha|km²|m²|cm²|m³|l|L|ml|mL|cl|s|ms|min|h|hrs?|mph|km/h|m/s|"
    "k|M|B|bn|mn|Mio\\.?|Mrd\\.?|°C|°F|°|K|k?Hz|MHz|GHz|W|kW|MW|kWh|V|mV|mA|k?J|kcal|hPa|kPa|Pa|bar|mmHg|px|kB|KB|MB|GB|TB|cc|hp|mpg"
)
_multiples = ("%", "‰", "k", "M", "B", "bn", "mn", "Mio", "Mio.", "Mrd", "Mrd.")
_word = r"\p{L}[\p{L}\d²³./·^-]{0,14}"
_minus = r"[\x{2212}\x{2013}-]"
_number = r"(?:\d|[.,]\d)(?:[\d.,]|[ \x{a0}\x{2009}\x{202f}'\x{2019}]\d)*(?:[eE][+-]?\d+)?"
_others = ("behind", "remark", "beyond", "about")
_fewest_measured = 12  # different numbers beside limits: of fewer, <1, 1, 2, >2 are the steps of a scale
_dressed = (
    r"^(?:(?<beyond>[<>≤≥]=?)|(?<about>[~≈]|c(?:irc)?a\.?\s))?\s?"
    rf"(?<open>\()?(?<sign>\+|{_minus})?\s?(?<head>{_currency})?\s?(?<inner>\+|{_minus})?(?<within>\()?"
    rf"(?<number>{_number})(?:\.?(?<behind>{_minus}{{1,2}}))?(?<shut>\))?"
    rf"(?:\s?(?<tail>%|‰|{_currency}|{_units})|\s(?<word>{_word}))?(?<close>\))?"
    r"(?<remark>\s?(?:\[\w{1,3}\]|\*{1,3}|[†‡]))?$"
)


class Undressed(NamedTuple):
    """The cells with nothing but the number, what was taken off, the marks that disagree, if they do, and doubts."""

    text: pl.Series
    notes: list[str]
    torn: list[str]
    doubts: list[str]


def undress(cells: pl.Series, *, measured: bool = False) -> Undressed | None:
    """The bare numbers of a column, or None where too few cells are numbers in any dress, or all are bare.

    `measured` where it is known that <1 is no step of a scale.
    """
    given = cells.drop_nulls()
    if not len(given) or not _are_numbers(given.head(_first_look)) or not _are_numbers(given):
        return None
    parts = cells.str.extract_groups(_dressed).struct.unnest()
    open_, close = (parts[one].fill_null(parts[other]) for one, other in (("open", "within"), ("close", "shut")))
    whole = (open_.is_null() == close.is_null()) & parts["number"].is_not_null()
    marks = [parts["head"], parts["tail"].fill_null(parts["word"])]
    found = [marked.drop_nulls().unique(maintain_order=True).to_list() for marked in marks]
    negative = (whole & open_.is_not_null()).fill_null(False)
    limits = cells.filter(parts["beyond"].is_not_null())
    if len(limits) and not (
        measured or parts["number"].filter(parts["beyond"].is_null()).n_unique() >= _fewest_measured
    ):
        return None
    dressed = found[0] or found[1] or negative.any() or any(parts[one].is_not_null().any() for one in _others)
    if not (dressed or parts["sign"].eq("\u2013").any()):
        return None
    torn = next(([str(one) for one in each] for each in found if len(each) > 1), [])
    if found[1][:1] and found[1][0] in _multiples and parts["tail"].null_count() > cells.null_count():
        torn = torn or [found[1][0], "no mark"]  # 5 % beside 0.05, or 2 k beside 2000, could be the same
    minus = negative | _is_minus(parts, marks[0])
    bare = pl.select(pl.when(minus.fill_null(False)).then(pl.lit("-") + parts["number"]).otherwise(parts["number"]))
    text = bare.to_series().set(~whole.fill_null(False), None).rename(cells.name)
    notes = _notes(found, negative) + ["footnote marks were dropped"] * parts["remark"].is_not_null().any()
    notes += ["marks of round numbers (~) were dropped"] * parts["about"].is_not_null().any()
    beyond = _limits_read(limits)
    return Undressed(text.zip_with(text.is_not_null() | cells.is_null(), cells), notes + beyond, torn, beyond)


def _limits_read(limits: pl.Series) -> list[str]:
    if not len(limits):
        return []
    cells = f"{len(limits)} cell{'s' * (len(limits) > 1)} beyond a limit"
    return [
        f"{cells} ({', '.join(repr(one) for one in limits.unique(maintain_order=True).head(3))}) count as the limit"
    ]


def _is_minus(parts: pl.DataFrame, head: pl.Series) -> pl.Series:
    """A minus before the number, or behind it; behind a price, 3.- leaves the cents out."""
    before = parts["sign"].str.contains(_minus).fill_null(False) | parts["inner"].str.contains(_minus).fill_null(False)
    price = parts["number"].str.ends_with(".") | head.is_not_null() | parts["behind"].str.len_chars().eq(2)
    return before | (parts["behind"].is_not_null() & ~price.fill_null(False))


def _are_numbers(given: pl.Series) -> bool:
    return int(given.str.contains(_dressed).sum()) >= _least_share * len(given)


def _notes(found: list[list[str]], negative: pl.Series) -> list[str]:
    said = {"%": "per cent signs were dropped"}
    notes = [said.get(mark, f"the mark {mark!r} was dropped") for each in found for mark in each[:1]]
    return notes + ["parentheses were read as minus"] * bool(negative.any())
