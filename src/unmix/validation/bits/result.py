"""The answer of `ledger`: bits of every row under every kind, what each kind saves, and what follows."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from unmix.validation.bits.verdict import Bits, Saving, cost, explained, foretold, in_words, leading

STYLE = """
.unmix-ledger{font:13px/1.45 system-ui,sans-serif;color:inherit;max-width:60em}
.unmix-ledger p{margin:.2em 0 .7em}
.unmix-ledger .notes{opacity:.7;font-size:12px;margin:.6em 0 0}
.unmix-ledger table{font:inherit;border-collapse:collapse;font-variant-numeric:tabular-nums;margin:0;color:inherit}
.unmix-ledger th,.unmix-ledger td{padding:.22em .9em;text-align:right;border:0;background:none;color:inherit}
.unmix-ledger thead th{border-bottom:1px solid rgba(128,128,128,.5)}
.unmix-ledger small{opacity:.6;font-weight:400}
.unmix-ledger tr.best{background:rgba(128,128,128,.16)}
"""


@dataclass
class Ledger:
    """What a row costs under each kind of structure.

    A notebook shows it as a table; ``print`` gives the verdict.

    Attributes
    ----------
    bits : kind -> bits of every row that was judged, held out
    known : kind -> bits of the same rows under models that were learned from them too
    folds : kind -> mean bits of the rows known in each fold
    sizes : kind -> the size chosen in each fold: (groups, factors), (parts,), (sources,), or () for independent columns
    precision : (d,) what a number was written to; 1 for levels
    rows : the rows of the table that were judged
    notes : sentences on what was sampled, left out or not measured
    leader : the simplest kind that no other beats beyond the errors; "independent" if none saves anything
    verdict : the answer in words
    table : one dict for each kind: kind, bits, error, saved, saved_error, foretold, size. Bits and bits saved are those
        of the structure itself, `foretold` what is saved on rows held out, which is less by what it costs to learn
    """

    bits: dict[str, np.ndarray] = field(repr=False)
    known: dict[str, np.ndarray] = field(repr=False)
    folds: dict[str, np.ndarray] = field(repr=False)
    sizes: dict[str, list[tuple[int, ...]]] = field(repr=False)
    precision: np.ndarray = field(repr=False)
    rows: np.ndarray = field(repr=False)
    notes: list[str] = field(default_factory=list)

    @property
    def measured(self) -> Bits:
        """All that verdicts rest on."""
        return Bits(self.bits, self.known, self.folds)

    @property
    def leader(self) -> str:
        return leading(self.measured)

    @property
    def verdict(self) -> str:
        return in_words(self.measured)

    def compared(self, kind: str, other: str = "independent") -> Saving:
        """Bits a row that one structure saves against another: its standard error holds rows, learning and folds."""
        for name in (kind, other):
            if name not in self.bits:
                raise ValueError(f"{name!r} is no kind of this ledger; give one of {', '.join(self.bits)}")
        return explained(self.measured, kind, other)

    @property
    def table(self) -> list[dict[str, Any]]:
        return [self._line(kind) for kind in self.bits]

    def _line(self, kind: str) -> dict[str, Any]:
        whole, saved = cost(self.measured, kind), self.compared(kind)
        size = Counter(self.sizes[kind]).most_common(1)[0][0]
        return {
            "kind": kind,
            "bits": whole.bits,
            "error": whole.error,
            "saved": saved.bits,
            "saved_error": saved.error,
            "foretold": foretold(self.measured, kind).bits,
            "size": size_in_words(kind, size),
        }

    def to_frame(self, library: str = "polars") -> Any:
        """`table` as a data frame of polars, or of pandas."""
        if library not in {"polars", "pandas"}:
            raise ValueError(f"library={library!r} is not known; give 'polars' or 'pandas'")
        if library == "polars":
            import polars

            return polars.DataFrame(self.table)
        import pandas

        return pandas.DataFrame(self.table)

    def _repr_html_(self) -> str:
        lines = "".join(_html_line(line, line["kind"] == self.leader) for line in self.table)
        heads = "".join(f'<th scope="col">{head}</th>' for head in ("", "bits a row", "saved", "size"))
        notes = "".join(f'<p class="notes">{escape(note)}</p>' for note in self.notes)
        return (
            f'<div class="unmix-ledger"><style>{STYLE}</style><p>{escape(self.verdict)}</p>'
            f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
            '<p class="notes">Saved against independent columns, ± one standard error; what it costs to learn a '
            "structure from so many rows is taken out, and is part of the error.</p>"
            f"{notes}</div>"
        )

    def __str__(self) -> str:
        return self.verdict


def size_in_words(kind: str, size: tuple[int, ...]) -> str:
    """What the numbers of a size stand for."""
    if not size:
        return "–" if kind == "independent" else "none"
    if kind in ("parts", "sources"):
        return _counted(size[0], kind[:-1])
    counts = [(size[0], "group"), (size[1], "factor")]
    return ", ".join(_counted(n, what) for n, what in counts if n > (what == "group"))


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"


def _html_line(line: dict[str, Any], best: bool) -> str:
    mark = ' class="best"' if best else ""
    saved = "" if line["kind"] == "independent" else f"{line['saved']:.2f} <small>± {line['saved_error']:.2f}</small>"
    return (
        f'<tr{mark}><th scope="row">{line["kind"]}</th><td>{line["bits"]:.2f} <small>± {line["error"]:.2f}</small></td>'
        f"<td>{saved}</td><td>{line['size']}</td></tr>"
    )
