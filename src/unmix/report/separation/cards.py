"""A card for each source and the numbers of each channel: facts, spectrum, histogram, weights."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.marks import colour_class
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import NO_VALUE, breakable, clip, is_number, number, percent
from unmix.report.separation.figures import histogram, loadings, spectrum

MOST_SHOWN = 64  # channels and sources with pictures


def source_cards(tree: dict[str, Any]) -> Markup:
    """A card a source: facts, spectrum, histogram, channels."""
    unit = "Hz" if tree["rate"] else "cycles per row"
    names = [channel["name"] for channel in tree["channels"]]
    cards = [card(j, entry, weights(tree, j), names, unit) for j, entry in enumerate(tree["sources"][:MOST_SHOWN])]
    caption = (
        "Stability is the mean correlation of a source with its counterpart in resampled recordings: 1 comes back "
        "every time. Kurtosis is 0 for Gaussian signals, above for those with rare peaks, below for those that stay "
        "within bounds. "
        "Sign and loudness of a source are never known."
    )
    return element(
        "section",
        element("h2", "The sources"),
        element("p", caption, class_="intro"),
        element("div", cards, class_="found"),
        id="sources",
    )


def weights(tree: dict[str, Any], j: int) -> list[float]:
    """A source's column of the mixing matrix, in deviations of the channels."""
    return [
        line[j] * tree["sources"][j]["deviation"] / channel["deviation"] if channel["deviation"] else 0.0
        for line, channel in zip(tree["mixing"], tree["channels"])
    ]


def card(j: int, entry: dict[str, Any], mixed: list[float], names: list[str], unit: str) -> Markup:
    kind = colour_class(j)
    return element(
        "article",
        element(
            "header",
            element("h3", element("span", class_=f"swatch {kind}", aria_hidden="true"), capital(entry["name"])),
            element("p", facts(entry, unit), class_="quiet"),
        ),
        element(
            "div",
            spectrum(entry, unit, kind),
            histogram(entry, kind),
            loadings(entry["name"], mixed, names, kind),
            class_="pictures",
        ),
        class_="panel source-card",
        id=f"source-{j + 1}",
    )


def capital(name: str) -> str:
    return name[:1].upper() + name[1:]


def facts(entry: dict[str, Any], unit: str) -> str:
    """The numbers of a source in one line."""
    peak = f"peak at {number(entry['spectrum']['strongest'], 4)} {unit}" if entry["spectrum"] else None
    stable = f"stability {entry['stability']:.2f}" if is_number(entry["stability"]) else None
    place = (
        f"strongest in {clip(entry['strongest_channel'], 40)} ({percent(entry['share_of_channel'])} of its variance)"
    )
    return " · ".join(filter(None, [f"kurtosis {number(entry['kurtosis'], 3)}", stable, peak, place]))


def channels(tree: dict[str, Any]) -> Markup:
    """The recordings themselves: numbers, spectra and histograms."""
    unit = "Hz" if tree["rate"] else "cycles per row"
    rows = []
    for entry in tree["channels"]:
        peak = f"{number(entry['spectrum']['strongest'], 4)} {unit}" if entry["spectrum"] else NO_VALUE
        rows.append(
            [
                breakable(entry["name"]),
                number(entry["mean"], 3),
                number(entry["deviation"], 3),
                number(entry["kurtosis"], 3),
                peak,
            ]
        )
    pictures = [
        element("article", element("h3", breakable(entry["name"])),
                element("div", spectrum(entry, unit, "cx"), histogram(entry, "cx"), class_="pictures"), class_="panel")
        for entry in tree["channels"][:MOST_SHOWN]
    ]  # fmt: skip
    head = ["Channel", "Mean", "Deviation", "Kurtosis", "Peak frequency"]
    return element(
        "section",
        element("h2", "The channels"),
        table("Numbers of each channel", head, rows, class_="numbers"),
        element(
            "details",
            element("summary", "Spectra and histograms"),
            element("div", pictures, class_="found"),
            class_="behind",
        ),
        id="channels",
    )
