"""A selection as a piece of HTML that needs nothing else: the verdict, and a table of grid points by criteria."""

from __future__ import annotations

import math
from html import escape
from statistics import median
from typing import TYPE_CHECKING

from unmix.validation.criteria.base import Evaluation, Score
from unmix.validation.selection.point_names import heading, point_names

if TYPE_CHECKING:
    from unmix.validation.selection.result import Selection

# Colours come from the page, so that light and dark pages both look right; marks are shades over whatever is there.
STYLE = """
.unmix-selection{font:13px/1.45 system-ui,sans-serif;color:inherit;max-width:60em}
.unmix-selection p{margin:.2em 0 .7em}
.unmix-selection .notes{opacity:.7;font-size:12px;margin:.6em 0 0}
.unmix-selection table{font:inherit;border-collapse:collapse;font-variant-numeric:tabular-nums;margin:0;color:inherit}
.unmix-selection th,.unmix-selection td{padding:.22em .9em;text-align:right;border:0;background:none;color:inherit}
.unmix-selection th{font-weight:600;vertical-align:bottom}
.unmix-selection thead th{border-bottom:1px solid rgba(128,128,128,.5)}
.unmix-selection small{opacity:.6;font-weight:400}
.unmix-selection tr.best{background:rgba(128,128,128,.16)}
.unmix-selection td.choice{font-weight:700;box-shadow:inset 0 0 0 1.5px #e8714f;border-radius:4px}
"""


def html_of(selection: Selection) -> str:
    names = list(selection.evaluations)
    better = ["higher" if selection.higher_is_better[name] else "lower" for name in names]
    heads = "".join(
        f'<th scope="col">{escape(name)}<br><small>{word} is better</small></th>' for name, word in zip(names, better)
    )
    body = "".join(_row(selection, i, point) for i, point in enumerate(point_names(selection)))
    notes = "".join(f'<p class="notes">{escape(note)}</p>' for note in selection.notes)
    return (
        f'<div class="unmix-selection"><style>{STYLE}</style><p>{escape(selection.verdict)}</p>'
        f'<table><thead><tr><th scope="col">{escape(heading(selection))}</th>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
        '<p class="notes">Framed: what the criterion prefers. Shaded row: the verdict. ± one standard error.</p>'
        f"{notes}</div>"
    )


def _row(selection: Selection, i: int, point: str) -> str:
    cells = "".join(
        f"<td{' class=choice' if seen.choice == i else ''}>{_cell(seen.scores[i], _digits(seen))}</td>"
        for seen in selection.evaluations.values()
    )
    mark = ' class="best"' if i == selection.best_index else ""
    return f'<tr{mark}><th scope="row">{escape(point)}</th>{cells}</tr>'


def _digits(evaluation: Evaluation) -> int:
    """Decimals that show two digits of a typical error, or of the spread of values where there are no errors."""
    errors = [score.error for score in evaluation.scores if math.isfinite(score.error) and score.error > 0]
    values = [score.value for score in evaluation.scores if math.isfinite(score.value)]
    typical = median(errors) if errors else (max(values) - min(values)) / 10 if values else 0.0
    return min(max(1 - math.floor(math.log10(typical)), 0), 6) if typical > 0 else 2


def _cell(score: Score, digits: int) -> str:
    if math.isinf(score.value):
        return "∞" if score.value > 0 else "−∞"
    if math.isnan(score.value):
        return "–"
    error = f" <small>± {score.error:,.{digits}f}</small>" if math.isfinite(score.error) else ""
    return f"{score.value:,.{digits}f}{error}"
