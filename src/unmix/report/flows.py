"""Numbers of clusters side by side: a column for each, cut into its groups; ribbons are rows from one to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from unmix.report.drawing.figure import chart, figure, label
from unmix.report.drawing.marks import LEFT_OUT, colour_class
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import is_number, percent

WIDTH, TOP, TALL, BOTTOM = 440, 26, 190, 236
BLOCK, AIR = 14, 4  # width of a block, and space between two of a column
FEWEST_SHARED = 0.01  # of all rows: a thinner ribbon is not drawn


class Cut(NamedTuple):
    """One number of clusters: labels of the points, and the colour of each label."""

    k: int
    probability: float | None
    labels: list[int]
    colours: list[int]


def cuts(findings: dict[str, Any]) -> list[Cut]:
    """All of them, in order; the chosen number also where it is 1."""
    chosen, points = findings["selection"].get("chosen_k"), findings.get("map") or {}
    own = points.get("label") or []
    found = [one for one in findings.get("alternatives") or [] if one.get("labels") and len(one["labels"]) == len(own)]
    if not found:
        return []
    made = [Cut(one["k"], one.get("probability"), one["labels"], colours(one, own, chosen)) for one in found]
    if chosen == 1:
        made.insert(0, Cut(1, first_probability(findings["selection"]), own, [0]))
    return made


def first_probability(selection: dict[str, Any]) -> float | None:
    known = dict(zip(selection.get("k") or [], selection.get("probabilities") or []))
    return known.get(1)


def colours(alternative: dict[str, Any], own: Sequence[int], chosen: int | None) -> list[int]:
    """Below the chosen number, the colour of the chosen group that shares most rows; above, labels go on anyway."""
    k = alternative["k"]
    if chosen is None or k >= chosen:
        return list(range(k))
    shared = Counter(zip(alternative["labels"], own))
    given: dict[int, int] = {}
    for (label_, colour), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if label_ not in given and colour not in given.values() and label_ >= 0 and colour >= 0:
            given[label_] = colour
    free = iter(colour for colour in range(k + chosen) if colour not in given.values())
    return [given[label_] if label_ in given else next(free) for label_ in range(k)]


def flows(findings: dict[str, Any]) -> Markup | None:
    """The figure, or nothing where there is one number only."""
    every = cuts(findings)
    if len(every) < 2:
        return None
    chosen = findings["selection"].get("chosen_k")
    caption = (
        "Each column is a number of clusters, cut by their sizes; ribbons are rows that go from one to the next. Other "
        "numbers than the chosen one are those of K-means, or of the density where clusters are not round. A clear "
        "cluster stays whole from column to column. "
        "Percentages are probabilities."
    )
    description = f"Clusters for K from {every[0].k} to {every[-1].k}, side by side; K = {chosen} was chosen."
    return figure("Numbers side by side", drawing(description, every, chosen), caption, name="flows", kind="two")


def drawing(description: str, every: list[Cut], chosen: int | None) -> Markup:
    step = (WIDTH - 40) / max(1, len(every) - 1)
    places = [20 + step * i - BLOCK / 2 for i in range(len(every))]
    blocks = [blocks_of(cut) for cut in every]
    n = len(every[0].labels)
    ribbons = [
        ribbons_of(every[i], every[i + 1], blocks[i], blocks[i + 1], places[i], places[i + 1], n)
        for i, _ in enumerate(pairwise(every))
    ]
    drawn = [column(cut, block, x, cut.k == chosen) for cut, block, x in zip(every, blocks, places)]
    return chart(description, ribbons, drawn, width=WIDTH, height=BOTTOM + 12)


def blocks_of(cut: Cut) -> dict[int, tuple[float, float]]:
    """Top and height of each group, in the order of colours."""
    sizes = Counter(cut.labels)
    present = sorted(sizes, key=lambda one: colour_of(cut, one))
    room = TALL - AIR * (len(present) - 1)
    found, top = {}, float(TOP)
    for one in present:
        height = room * sizes[one] / len(cut.labels)
        found[one] = (top, height)
        top += height + AIR
    return found


def colour_of(cut: Cut, one: int) -> int:
    return cut.colours[one] if 0 <= one < len(cut.colours) else LEFT_OUT


def column(cut: Cut, blocks: dict[int, tuple[float, float]], x: float, is_chosen: bool) -> Markup:
    parts = [
        element(
            "rect",
            x=x,
            y=top,
            width=BLOCK,
            height=max(height, 0.8),
            rx=2,
            class_=f"fill {colour_class(colour_of(cut, one))}",
        )
        for one, (top, height) in blocks.items()
    ]
    middle = x + BLOCK / 2
    inside = min(WIDTH - 30.0, max(30.0, middle)) if is_chosen else middle
    chance = percent(round(cut.probability, 2)) if is_number(cut.probability) and cut.probability >= 0.005 else "–"
    parts += [
        label(inside, 16, f"K = {cut.k}" if is_chosen else cut.k, kind="chosen-label" if is_chosen else "tick"),
        label(middle, BOTTOM, chance),
    ]
    return element("g", parts, data_choose_k=cut.k)


def ribbons_of(
    left: Cut, right: Cut, before: dict[int, tuple[float, float]], after: dict[int, tuple[float, float]],
    x: float, end: float, n: int,
) -> list[Markup]:  # fmt: skip
    """Bands between the blocks of two columns, in the colour they come from."""
    shared, own, others = Counter(zip(left.labels, right.labels)), Counter(left.labels), Counter(right.labels)
    start_of, end_of = {one: top for one, (top, _) in before.items()}, {one: top for one, (top, _) in after.items()}
    drawn = []
    for (one, other), size in sorted(
        shared.items(), key=lambda item: (colour_of(left, item[0][0]), colour_of(right, item[0][1]))
    ):
        a, b = before[one][1] * size / own[one], after[other][1] * size / others[other]
        if size >= FEWEST_SHARED * n:
            drawn.append(band(x + BLOCK, end, start_of[one], a, end_of[other], b, colour_class(colour_of(left, one))))
        start_of[one] += a
        end_of[other] += b
    return drawn


def band(x: float, end: float, top: float, tall: float, other: float, other_tall: float, colour: str) -> Markup:
    half = (x + end) / 2
    upper = f"M{x:.1f} {top:.1f}C{half:.1f} {top:.1f} {half:.1f} {other:.1f} {end:.1f} {other:.1f}"
    low, other_low = top + tall, other + other_tall
    lower = f"L{end:.1f} {other_low:.1f}C{half:.1f} {other_low:.1f} {half:.1f} {low:.1f} {x:.1f} {low:.1f}Z"
    return element("path", d=upper + lower, class_=f"fill band {colour}")
