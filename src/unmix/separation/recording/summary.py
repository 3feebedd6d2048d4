"""A separation in a few lines of text: what came out, a line a source, and what to know."""

from __future__ import annotations

from typing import Any


def summary(tree: dict[str, Any]) -> str:
    """The answer in a few lines, a line a source."""
    unit = "Hz" if tree["rate"] else "a row"
    head = ("source", "kurtosis", "stability", "peak frequency", "strongest in")
    rows = [head]
    for entry in tree["sources"]:
        spectrum = entry["spectrum"]
        rows.append(
            (
                entry["name"],
                "–" if entry["kurtosis"] is None else f"{entry['kurtosis']:.2f}",
                "–" if entry["stability"] is None else f"{entry['stability']:.2f}",
                f"{spectrum['strongest']:.4g} {unit}" if spectrum else "–",
                f"{clipped(entry['strongest_channel'])} ({100 * entry['share_of_channel']:.0f} % of it)",
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = [headline(tree) + ".", ""]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [row[i].rjust(widths[i]) for i in (1, 2, 3)] + [row[4]]
        lines.append("  " + "  ".join(cells).rstrip())
    lines += [""] if tree["warnings"] or tree["notes"] else []
    lines += [f"Warning: {sentence}" for sentence in tree["warnings"]]
    lines += [f"Note: {sentence}" for sentence in tree["notes"]]
    return "\n".join("".join(c if c.isprintable() else "�" for c in line) for line in lines)


def headline(tree: dict[str, Any]) -> str:
    k = tree["n_sources"]
    length = f"{tree['n_samples']:,} samples"
    if tree["rate"]:
        length += f" at {tree['rate']:,.6g} Hz ({tree['n_samples'] / tree['rate']:,.3g} s)"
    return f"{k} source{'s' * (k != 1)} from {tree['n_channels']} channels, {length}, by {tree['model']}"


def clipped(name: str, longest: int = 40) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"
