"""One self-contained HTML page from findings: what the clusters are, how sure that is, and the rows behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unmix.report.atlas import atlas
from unmix.report.bits import ledger
from unmix.report.cards import cards
from unmix.report.columns import columns
from unmix.report.dock import dock
from unmix.report.embed import json_findings
from unmix.report.frame import frame, write_page
from unmix.report.headline import headline, split
from unmix.report.levels import levels
from unmix.report.relations import relations
from unmix.report.reproduce import minute, reproduce
from unmix.report.uncertainty import caveat_section, choice, dimensions

# Section of the page, its name in the navigation, and what writes it; in reading order.
SECTIONS = (
    ("clusters", "Clusters", cards),
    ("map", "Map", atlas),
    ("structure", "Kind of structure", ledger),
    ("levels", "Levels", levels),
    ("relations", "Relations", relations),
    ("columns", "Columns", columns),
    ("choice", "How many", choice),
    ("dimensions", "Dimensions", dimensions),
    ("sure", "How sure", caveat_section),
    ("reproduce", "Reproduce", reproduce),
)
# In the order in which they are run: what is chosen, how things are drawn, then what follows the choice.
SCRIPTS = (
    "choice.js", "paint.js", "brush.js", "map.js", "clusters.js", "column.js", "rows.js", "save.js", "actions.js",
)  # fmt: skip


def render(findings: Any, sections: Any = SECTIONS) -> str:
    """The page as a string, from `Findings` or from their `to_dict()`, with these sections in this order.

    The same findings give the same bytes.
    """
    return frame(**content(findings, sections), styles=(), scripts=SCRIPTS)


def content(findings: Any, sections: Any = SECTIONS) -> dict[str, Any]:
    """What stands on the page, by the names that `frame` has for it."""
    tree = json_findings(findings)
    written = [(anchor, name, _written(anchor, section, tree)) for anchor, name, section in _checked(sections)]
    if len(tree.get("clusters") or []) == 1:
        written = [(anchor, "Typical rows" if anchor == "clusters" else name, text) for anchor, name, text in written]
    return {
        "sections": written,
        "headline": headline(tree),
        "title": split(tree["selection"].get("verdict") or "unmix")[0],
        "source": tree["source"].get("name") or "table",
        "numbers": tree,
        "foot": dock(tree),
        "version": tree.get("version"),
        "created": minute(tree.get("created")),
    }


def _checked(sections: Any) -> list[tuple[str, str, Any]]:
    """Each an id of its own, a name in the navigation, and a function."""
    found = list(sections)
    for section in found:
        whole = isinstance(section, tuple) and len(section) == 3 and callable(section[2])
        if not whole:
            raise TypeError(f"{section!r} is no section; give (id, name in the navigation, function of the findings)")
    ids = [anchor for anchor, *_ in found]
    twice = sorted({anchor for anchor in ids if ids.count(anchor) > 1})
    if twice:
        raise ValueError(f"two sections have the id {twice[0]!r}; give each its own")
    return found


def _written(anchor: str, section: Any, tree: dict[str, Any]) -> Any:
    text = section(tree)
    if text is not None and f'id="{anchor}"' not in str(text):
        raise ValueError(f"the section {anchor!r} has no element with id={anchor!r}, to which the navigation leads")
    return text


def write(findings: Any, path: str | Path, sections: Any = SECTIONS) -> Path:
    """Write the page to `path`, whole or not at all."""
    return write_page(render(findings, sections), path)
