"""A shape and a colour for each cluster: the shape carries the difference where colour cannot.

Shapes are SVG paths in the square [-1, 1]²; the page holds them once as symbols, and the map's canvas reads the same
paths. Colours are the classes c0 … c11 of report.css. Beyond twelve clusters both repeat, with a shift, so that no
pair of shape and colour comes back before 132 clusters.
"""

from __future__ import annotations

from unmix.report.drawing.markup import Markup, element

SHAPES = (
    "M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z",
    "M-.85-.85H.85V.85H-.85Z",
    "M0-1.1L1.05.8H-1.05Z",
    "M0-1.2L1.1 0L0 1.2L-1.1 0Z",
    "M-.38-1.1H.38V-.38H1.1V.38H.38V1.1H-.38V.38H-1.1V-.38H-.38Z",
    "M0 1.1L1.05-.8H-1.05Z",
    "M-1.05-.5L-.5-1.05L0-.55L.5-1.05L1.05-.5L.55 0L1.05.5L.5 1.05L0 .55L-.5 1.05L-1.05.5L-.55 0Z",
    "M0-1.2L.32-.4L1.15-.37L.5.15L.72 1L0 .5L-.72 1L-.5.15L-1.15-.37L-.32-.4Z",
    "M1.1 0A1.1 1.1 0 1 1-1.1 0A1.1 1.1 0 1 1 1.1 0ZM.55 0A.55.55 0 1 0-.55 0A.55.55 0 1 0 .55 0Z",
    "M-1.1-.45H1.1V.45H-1.1Z",
    "M-.45-1.1H.45V1.1H-.45Z",
    "M.55-.95L1.1 0L.55.95H-.55L-1.1 0L-.55-.95Z",
)
N_COLOURS = 12
LEFT_OUT = -1


def shape_of(label: int) -> int:
    """Which shape a cluster has."""
    if label == LEFT_OUT:
        return 0
    return (label + label // N_COLOURS) % len(SHAPES)


def colour_class(label: int) -> str:
    """The class that sets a cluster's colour."""
    return "cx" if label == LEFT_OUT else f"c{label % N_COLOURS}"


def symbols() -> Markup:
    """The shapes, once for the whole page."""
    return element(
        "svg",
        [
            element("symbol", element("path", d=path), id=f"mark{i}", viewBox="-1.3 -1.3 2.6 2.6")
            for i, path in enumerate(SHAPES)
        ],
        class_="symbols",
        aria_hidden="true",
        width=0,
        height=0,
    )


def mark(label: int) -> Markup:
    """A cluster's mark, to stand before its name."""
    use = element("use", href=f"#mark{shape_of(label)}")
    return element("svg", use, class_=f"mark {colour_class(label)}", width=14, height=14, aria_hidden="true")
