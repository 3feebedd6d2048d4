"""The PCA spectrum: variance explained by each component beside what columns without any relation would give."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.figure import BOTTOM, LEFT, RIGHT, TOP, axes, chart, figure, line, numbers_behind, thinned
from unmix.report.drawing.markup import Markup, element, join, table
from unmix.report.drawing.numbers import NO_VALUE, clip, is_number, minus, percent
from unmix.report.drawing.scale import Scale

MOST_COMPONENTS = 30
MOST_LOADINGS = 4
LEAST_WEIGHT = 0.1  # a smaller weight says nothing


def spectrum(findings: dict[str, Any]) -> Markup | None:
    """Drawing, what its components are made of, and the numbers."""
    found = findings.get("spectrum") or {}
    ratios = [r if is_number(r) else 0.0 for r in found.get("explained_variance_ratio") or []]
    if not ratios:
        return None
    reference = found.get("reference") or []
    shown = ratios[:MOST_COMPONENTS]
    bars = drawing(shown, reference, found.get("n_suggested") or 0)
    drawn = figure("Variance explained", bars, *legend(len(ratios), reference), name="spectrum")
    beside = components(found, ratios)
    return join([element("div", drawn, beside, class_="panels"), spectrum_table(ratios, reference)])


def drawing(ratios: list[float], reference: list[Any], n_suggested: int) -> Markup:
    """A bar a component, a tick where chance alone would end."""
    known = [r for r in reference[: len(ratios)] if is_number(r)]
    x = Scale(0.5, len(ratios) + 0.5, LEFT, RIGHT)
    y = Scale(0.0, max([*ratios, *known, 1e-9]) * 1.05, BOTTOM, TOP / 2)
    step = (RIGHT - LEFT) / len(ratios)
    half = min(20.0, 0.36 * step)
    bars = []
    for j, ratio in enumerate(ratios, start=1):
        kind = "bar" if j <= n_suggested else "bar beyond"
        bars.append(element("rect", x=x(j) - half, y=y(ratio), width=2 * half, height=BOTTOM - y(ratio), class_=kind))
    reach = min(26.0, 0.46 * step)
    chance = [
        line(x(j) - reach, y(r), x(j) + reach, y(r), "chance")
        for j, r in enumerate(reference[: len(ratios)], 1)
        if is_number(r)
    ]
    ticks = thinned(list(range(1, len(ratios) + 1)))
    frame = axes(x, y, [(j, str(j)) for j in ticks], y.ticks(), "component", share=True)
    description = f"Variance explained by {len(ratios)} principal components: the first explains {percent(ratios[0])}."
    return chart(description, frame, bars, chance)


def legend(n: int, reference: list[Any]) -> list[Any]:
    """What bars and ticks mean."""
    cut = f" The first {MOST_COMPONENTS} of {n} components." if n > MOST_COMPONENTS else ""
    ticks = (
        " The line across each bar is what columns without any relation would reach (95 % quantile)."
        if reference
        else ""
    )
    return [f"Share of the variance on each principal component.{ticks}{cut}"]


def components(found: dict[str, Any], ratios: list[float]) -> Markup | None:
    """Which columns make the leading components, heaviest first."""
    entries = []
    n_shown = min(4, max(2, found.get("n_suggested") or 0))
    for j, loadings in enumerate((found.get("loadings") or [])[:n_shown]):
        heavy = [part for part in loadings[:MOST_LOADINGS] if abs(part["weight"] or 0) >= LEAST_WEIGHT]
        heaviest = [f"{clip(part['column'], 32)} {minus(format(part['weight'], '+.2f'))}" for part in heavy]
        share = percent(ratios[j]) if j < len(ratios) else NO_VALUE
        title = element("dt", f"Component {j + 1} ", element("span", share, class_="quiet"))
        entries.append(element("div", title, element("dd", ", ".join(heaviest))))
    if not entries:
        return None
    return element(
        "div",
        element("h3", "What the components are made of"),
        element("dl", entries, class_="loadings"),
        class_="panel made-of",
    )


def spectrum_table(ratios: list[float], reference: list[Any]) -> Markup:
    """The numbers as a table."""
    rows, total = [], 0.0
    for j, ratio in enumerate(ratios[:200]):
        total += ratio
        rows.append(
            [j + 1, percent(ratio), percent(reference[j]) if j < len(reference) else NO_VALUE, percent(min(1.0, total))]
        )
    head = ["Component", "Explains", "By chance", "Together"]
    return numbers_behind(
        "The numbers behind this chart", table("Variance explained by each component", head, rows, class_="numbers")
    )
