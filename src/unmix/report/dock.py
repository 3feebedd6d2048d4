"""What is chosen, at the foot of the window: the number of clusters, the cluster, and the rows behind it."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import is_number, percent
from unmix.report.flows import Cut, cuts

TALLEST = 18  # pixels of the bar for a probability of one


def dock(findings: dict[str, Any]) -> Markup | None:
    """Hidden until the page's script brings it to life; nothing where there is no map."""
    if not (findings.get("map") or {}).get("x"):
        return None
    return element(
        "aside",
        element(
            "div", chooser(cuts(findings), findings["selection"].get("chosen_k")), chosen(), class_="bar-of-choices"
        ),
        drawer(),
        element("p", class_="spoken", aria_live="polite", id="said"),
        id="dock",
        class_="dock",
        aria_label="What is chosen",
        hidden=True,
    )


def chooser(every: list[Cut], chosen: int | None) -> Markup | None:
    """One of a few numbers; a bar in each shows how probable it is."""
    if len(every) < 2:
        return None
    options = [option(cut, cut.k == chosen) for cut in every]
    return element(
        "fieldset", element("legend", "Clusters"), element("div", options, class_="numbers-of"), class_="chooser"
    )


def option(cut: Cut, is_chosen: bool) -> Markup:
    chance = cut.probability if is_number(cut.probability) else 0.0
    height = max(1.0, TALLEST * min(1.0, max(0.0, chance)))
    bar = element(
        "svg",
        element("rect", x=0, y=TALLEST - height, width=18, height=height, rx=1.5, class_="fill"),
        width=18,
        height=TALLEST,
        aria_hidden="true",
    )
    words = f"{cut.k} cluster{'s' * (cut.k != 1)}, probability {percent(round(chance, 2))}"
    radio = element(
        "input",
        type="radio",
        name="k",
        value=cut.k,
        checked=is_chosen,
        data_colours=" ".join(map(str, cut.colours)),
        aria_label=words + (", chosen by the data" if is_chosen else ""),
    )
    return element("label", radio, bar, element("span", cut.k), class_="k best" if is_chosen else "k", title=words)


def chosen() -> Markup:
    """The cluster that is looked at, and how to see its rows."""
    clear = element("button", "Clear", type="button", class_="clear", hidden=True)
    rows = element("button", "Rows", type="button", class_="open-rows", aria_expanded="false", aria_controls="drawer")
    return element("div", element("p", "All rows", class_="looked-at"), clear, rows, class_="choice")


def drawer() -> Markup:
    """The list of rows; a script fills it."""
    tools = element(
        "div",
        element("p", class_="quiet shown-rows"),
        element("button", "Save as CSV", type="button", class_="save-rows"),
        element("button", "Close", type="button", class_="close-rows"),
        class_="tools",
    )
    listed = element("div", class_="scroll listed", tabindex=0, role="region", aria_label="Rows")
    return element("div", tools, listed, id="drawer", class_="drawer", hidden=True)
