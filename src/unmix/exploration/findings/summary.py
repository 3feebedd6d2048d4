"""Findings as a page of plain text, for a pipe, a log or a Python prompt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from unmix.exploration.findings.probable import numbers_in_words
from unmix.exploration.findings.relation_lines import is_divided, relation_blocks, structure_lines, tells
from unmix.exploration.findings.tree_text import tree_lines

if TYPE_CHECKING:
    from unmix.exploration.findings.records import Cluster, Column, Distinct, Findings

_most_columns = 40  # lines of them
_fewest_alike = 6  # neighbours treated alike that share one line
MOST_DISTINCT = 4  # lines of what sets a cluster apart; the report has all


def printable(text: object, width: int = 80) -> str:
    """One line of at most `width` characters: names from a table may hold line breaks and terminal commands."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))
    return line if len(line) <= width else line[: width - 1] + "…"


def headline(findings: Findings) -> str:
    source = findings.source
    rows, columns = f"{source.n_rows:,} row{'s' * (source.n_rows != 1)}", f"{source.n_columns} column"
    return f"{printable(source.name)}: {rows}, {columns}{'s' * (source.n_columns != 1)} ({source.how})"


def plain_text(findings: Findings) -> str:
    """The findings in the order a reader asks: what was found, how sure is it, what is it made of."""
    return "\n".join(
        [
            headline(findings),
            "",
            *_structure(findings),
            *_relations(findings),
            "",
            *_columns(findings),
            *_notes(findings),
        ]
    )


def _columns(findings: Findings) -> Iterator[str]:
    lines, left = column_lines(findings.columns)
    width = max((len(line.name) for line in lines), default=0)
    yield "Columns"
    for line in lines:
        gaps = f" ({line.missing} missing)" if line.missing else ""
        yield f"  {line.name:<{width}}  {line.kind:<10}  {line.what}{gaps}"
    if left:
        yield f"  … and {left} more"
    yield f"Missing values: {missing_line(findings)}"


class ColumnLine(NamedTuple):
    """A column, or several that were treated alike, in words."""

    name: str
    kind: str
    missing: str
    what: str
    used: bool


def column_lines(columns: Sequence[Column]) -> tuple[list[ColumnLine], int]:
    """What was done with columns, neighbours treated alike in one line; and how many lines are left."""
    lines: list[ColumnLine] = []
    for treatment, alike in groupby(columns, _treatment):
        names = [printable(column.name, 28) for column in alike]
        names = [f"{names[0]} … {names[-1]} ({len(names)})"] if len(names) >= _fewest_alike else names
        lines += [ColumnLine(name, *treatment) for name in names]
    return lines[:_most_columns], max(0, len(lines) - _most_columns)


def _treatment(column: Column) -> tuple[str, str, str, bool]:
    return column.kind, str(column.n_missing or ""), printable(done(column), 200), column.used


def done(column: Column) -> str:
    """What was done with a column, and why it is of its kind where that is not said by then."""
    plain = column.kind in ("numeric", "category", "boolean", "date") or column.reason in column.what
    return column.what if plain or not column.reason else f"{column.what} ({column.reason})"


def missing_line(findings: Findings) -> str:
    missing = findings.missing
    if not missing.n_cells:
        return "none."
    return f"{missing.n_cells:,} cells ({100 * missing.fraction:.2g} %). {missing.treatment}"


def _structure(findings: Findings) -> Iterator[str]:
    yield f"Answer: {findings.selection.verdict}"
    if findings.selection.probabilities:
        yield f"How probable: {probable_line(findings)}"
    for i, line in enumerate(structure_lines(findings)):
        yield f"{'  ' if i else 'Structure: '}{printable(line, 300)}"
    yield f"Components: {findings.spectrum.sentence}"
    if not is_divided(findings):
        return
    for cluster in findings.clusters:
        yield ""
        yield f"  {cluster.label}  {printable(cluster.name)}"
        yield f"     {card_line(cluster)}"
        for item in cluster.distinct[:MOST_DISTINCT]:
            yield f"     - {distinct_line(item)}"
        yield from (f"     {line}" for line in group_lines(cluster))
    if lines := tree_lines(findings.levels):
        yield from ("", "Clusters inside clusters", *(printable(line, 160) for line in lines))


def _relations(findings: Findings) -> Iterator[str]:
    for title, lines in relation_blocks(findings):
        yield from ("", title, *(f"  {printable(line, 200)}" for line in lines))


def probable_line(findings: Findings) -> str:
    selection = findings.selection
    return numbers_in_words(selection.k, selection.probabilities or [])


def card_line(cluster: Cluster) -> str:
    stability = f", stability {cluster.stability:.2f}" if cluster.stability is not None else ""
    rows = f"{cluster.size:,} row{'s' * (cluster.size != 1)}"
    return f"{rows} ({100 * cluster.fraction:.0f} %){stability}, row confidence {cluster.confidence:.2f}"


def distinct_line(item: Distinct) -> str:
    """What sets a cluster apart, and for a number by how many standard deviations."""
    return printable(item.sentence, 110) + (f" ({item.effect:+.1f} sd)" if item.level is None else "")


def group_lines(cluster: Cluster) -> Iterator[str]:
    """The rule, and rows that stand for the cluster or hardly belong to it."""
    if cluster.rule is not None and tells(cluster.rule.precision, cluster.fraction):
        right, found = (f"{100 * share:.0f} %" for share in (cluster.rule.precision, cluster.rule.recall))
        yield f"rule: {printable(cluster.rule.sentence, 120)} (holds for {found} of it; {right} of such rows are in it)"
    yield "typical rows: " + ", ".join(str(row.row) for row in cluster.typical_rows)
    for what, rows in (("borderline", cluster.borderline_rows), ("odd", cluster.odd_rows)):
        if rows:
            yield f"{what}: row {rows[0].row} ({printable(rows[0].reason, 90)})" + "".join(
                f", {row.row}" for row in rows[1:]
            )


def _notes(findings: Findings) -> Iterator[str]:
    yield ""
    yield from (f"Warning: {printable(warning, 300)}" for warning in findings.warnings)
    yield from (f"Note: {caveat}" for caveat in findings.caveats)
    yield f"Reproduce: {printable(findings.command, 300)}  (unmix {findings.version})"
