"""How sure the answer is: the choice of K, the spectrum, then warnings and caveats in words."""

from __future__ import annotations

from typing import Any

from unmix.report.curve import curves
from unmix.report.headline import chance
from unmix.report.markup import Markup, element
from unmix.report.numbers import is_number, number, percent
from unmix.report.spectrum import spectrum

LEAST_NAMED = 0.02  # probability of a number that is listed


def choice(findings: dict[str, Any]) -> Markup | None:
    """How many clusters, by each criterion."""
    drawn = curves(findings["selection"])
    if drawn is None:
        return None
    return element(
        "section",
        element("h2", "How many clusters"),
        element("p", confidence(findings["selection"]), class_="intro"),
        probable_numbers(findings["selection"]),
        drawn,
        id="choice",
    )


def confidence(selection: dict[str, Any]) -> str:
    """The share of resampled tables that agree, in words."""
    rows = selection.get("n_rows_used")
    base = f" Computed on {number(rows)} rows." if rows else ""
    bars = f"Error bars are one standard error.{base}"
    if not is_number(selection.get("confidence")):
        return bars
    return f"{percent(selection['confidence'])} of resampled tables give the same number of clusters. {bars}"


def probable_numbers(selection: dict[str, Any]) -> Markup | None:
    """How probable each number of clusters is, most probable first; what nobody named comes last."""
    shares = selection.get("probabilities") or []
    named = [(share, k) for k, share in zip(selection.get("k") or [], shares) if is_number(share)]
    if not named:
        return None
    other = 1 - sum(share for share, _ in named)
    worth = [(share, k) for share, k in sorted(named, key=lambda one: (-one[0], one[1])) if share >= LEAST_NAMED]
    words = [f"{'no clusters' if k == 1 else k} ({chance(share)})" for share, k in worth]
    words += [f"another number ({chance(other)})"] if other >= LEAST_NAMED else []
    return element("p", element("strong", "How probable: "), f"{', '.join(words)}.", class_="intro")


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
