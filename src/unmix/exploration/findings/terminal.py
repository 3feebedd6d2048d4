"""The summary on a terminal: the same facts as the plain text, with a table, colour and bars."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from unmix.exploration.findings.records import Cluster, Findings
from unmix.exploration.findings.relation_lines import is_divided, relation_blocks, structure_lines
from unmix.exploration.findings.summary import (
    MOST_DISTINCT,
    card_line,
    column_lines,
    distinct_line,
    group_lines,
    headline,
    missing_line,
    printable,
    probable_line,
)
from unmix.exploration.findings.tree_text import tree_lines

_colors = ["blue", "dark_orange", "green", "magenta", "cyan", "red", "yellow", "purple", "grey62", "bright_green"]


def show(findings: Findings, console: Console) -> None:
    """Print the summary; every cell of the table goes through Text, so that nothing in it is taken for markup."""
    console.print(Text(headline(findings), style="bold"))
    _show_answer(findings, console)
    if is_divided(findings):
        for cluster in findings.clusters:
            console.print(_card(cluster))
        if lines := tree_lines(findings.levels):
            console.print(_line("Clusters inside clusters", "\n" + "\n".join(printable(line, 160) for line in lines)))
    for title, lines in relation_blocks(findings):
        console.print(Group(Text(title, style="bold"), *(Text(f"  {printable(line, 200)}") for line in lines)))
    console.print(_columns(findings))
    console.print(_line("Missing values", missing_line(findings)))
    for warning in findings.warnings:
        console.print(_line("Warning", printable(warning, 300), "yellow"))
    for caveat in findings.caveats:
        console.print(_line("Note", caveat, "dim"))
    console.print(_line("Reproduce", printable(findings.command, 300), "dim"))


def _show_answer(findings: Findings, console: Console) -> None:
    console.print(_line("Answer", findings.selection.verdict))
    if findings.selection.probabilities:
        console.print(_line("How probable", probable_line(findings)))
    for i, line in enumerate(structure_lines(findings)):
        shown = printable(line, 300)
        console.print(Text(f"  {shown}") if i else _line("Structure", shown))
    console.print(_line("Components", findings.spectrum.sentence))


def _line(title: str, text: str, style: str = "bold") -> Text:
    return Text.assemble((f"{title}: ", style), text)


def _columns(findings: Findings) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("column", "kind", "missing", "what was done"):
        table.add_column(title, justify="right" if title == "missing" else "left")
    lines, left = column_lines(findings.columns)
    for line in lines:
        table.add_row(*(Text(cell, style="" if line.used else "dim") for cell in line[:4]))
    if left:
        table.add_row(Text(f"… and {left} more", style="dim"))
    return table


def _card(cluster: Cluster) -> Panel:
    color = _colors[cluster.label % len(_colors)]
    lines: list[RenderableType] = [Text(card_line(cluster), style="dim")]
    for item in cluster.distinct[:MOST_DISTINCT]:
        bar = "▇" * max(1, min(12, round(4 * abs(item.effect))))
        lines.append(Text.assemble((f"{bar:<12} ", color), distinct_line(item)))
    lines += [Text(line, style="dim") for line in group_lines(cluster)]
    title = Text(f"{cluster.label}  {printable(cluster.name, 70)}", style=f"bold {color}")
    return Panel(Group(*lines), title=title, title_align="left", border_style=color)
