"""How sure the answer is: the choice of K, the spectrum, then warnings and caveats in words."""

from __future__ import annotations

from typing import Any

from unmix.exploration.findings.probable import numbers_in_words
from unmix.report.curve import curves
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import is_number, number, percent
from unmix.report.flows import flows
from unmix.report.spectrum import spectrum


def choice(findings: dict[str, Any]) -> Markup | None:
    """How many clusters, by each criterion."""
    drawn = curves(findings["selection"], flows(findings))
    if drawn is None:
        return None
    return element(
        "section",
        element("h2", "How many clusters"),
        element("p", confidence(findings["selection"]), class_="intro"),
        probable(findings["selection"]),
        drawn,
        id="choice",
    )


def confidence(selection: dict[str, Any]) -> str:
    """The share of resampled tables that agree, in words."""
    rows = selection.get("n_rows_used")
    base = f" Computed on {number(rows)} rows." if rows else ""
    bars = f"Error bars are one standard error.{base}"
    said = [bars, *differ(selection)]
    if is_number(selection.get("confidence")):
        said.insert(0, f"{percent(selection['confidence'])} of resampled tables give the same number of clusters.")
    return " ".join(said)


def differ(selection: dict[str, Any]) -> list[str]:
    """Why a curve may speak for another number than the answer, where one does."""
    chosen = selection.get("chosen_k")
    others = {criterion.get("best") for criterion in selection.get("criteria") or []} - {chosen, None}
    if not others:
        return []
    return [
        "Each curve by itself is one view, and stability and BIC look for round clusters only: where one prefers "
        "another number, the probabilities weigh it with all other evidence."
    ]


def probable(selection: dict[str, Any]) -> Markup | None:
    """How probable each number of clusters is."""
    words = numbers_in_words(selection.get("k") or [], selection.get("probabilities") or [])
    return element("p", element("strong", "How probable: "), words, class_="intro") if words else None


def dimensions(findings: dict[str, Any]) -> Markup | None:
    """How many directions the table has."""
    drawn = spectrum(findings)
    if drawn is None:
        return None
    sentence = findings["spectrum"].get("sentence")
    return element(
        "section",
        element("h2", "How many dimensions"),
        element("p", sentence, class_="intro") if sentence else None,
        drawn,
        id="dimensions",
    )


def caveat_section(findings: dict[str, Any]) -> Markup:
    """Warnings about the table, and the limits of the answer."""
    warnings, caveats = findings.get("warnings") or [], findings.get("caveats") or []
    return element(
        "section",
        element("h2", "How sure is this"),
        titled_list("To look at", warnings, "warnings"),
        titled_list("To keep in mind", caveats, "caveats"),
        None if warnings or caveats else element("p", "Nothing unusual was noticed in this table.", class_="intro"),
        id="sure",
    )


def titled_list(title: str, sentences: list[str], kind: str) -> Markup | None:
    """A titled list of sentences."""
    if not sentences:
        return None
    return element(
        "div", element("h3", title), element("ul", [element("li", sentence) for sentence in sentences]), class_=kind
    )
