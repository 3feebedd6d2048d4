"""Tables are read here and not in the server: what breaks this process is told as a refusal, and another one starts."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from unmix.cli.terminal.lean_start import load_scikit_learn
from unmix.exploration.findings.json_values import json_value
from unmix.io.base.errors import TableError
from unmix.io.long_table import LongTable
from unmix.io.text.formula import guard
from unmix.studio.children import roles_answers, signal_answers
from unmix.studio.children.pipe import Pipe
from unmix.studio.store.settings import ROLES, Settings

MOST_SHOWN = 15  # rows
LONGEST_CELL = 80


def main() -> None:
    pipe = Pipe()
    load_scikit_learn()
    while (asked := pipe.hear()) is not None:
        try:
            pipe.say(answer=ANSWERS[asked.pop("what")](**asked))
        except (TableError, ValueError) as error:
            pipe.say(refused=str(error))
        except MemoryError:
            pipe.say(refused="This does not fit into memory; give fewer rows or columns.")
        except Exception as error:
            pipe.say(refused=f"This could not be done ({type(error).__name__}).")


@lru_cache(maxsize=1)
def read(path: str, sample: int | None, seed: int) -> LongTable:
    from unmix.exploration.question import rows_looked_at

    return rows_looked_at(path, sample, seed)


def preview(path: str, settings: Settings) -> dict[str, Any]:
    """Kinds, reasons and use of the columns as a run with these settings takes them, and the first rows."""
    data, refused = read(path, settings.get("sample"), settings["seed"]), None
    try:
        question = asked(data, settings)
    except TableError as error:  # the columns are shown all the same, so that it can be mended
        refused = str(error)
        question = ask_plainly(data, settings["seed"])
    prepared = question.prepared if question else None
    sample = data.sample
    return {
        "refused": refused,
        "source": {"n_rows": data.height, "n_columns": sample.frame.width, "how": sample.how},
        "form": {"name": question.form.name, "reason": question.form.reason} if question else None,
        "columns": [json_value(column) for column in prepared.columns] if prepared else names_only(sample.frame),
        "missing": json_value(prepared.missing) if prepared else None,
        "warnings": [*sample.warnings, *(prepared.warnings if prepared else [])],
        "first": {"names": sample.frame.columns, "rows": list(first_rows(sample.frame))},
    }


def ask_plainly(data: LongTable, seed: int) -> Any:
    """The question without settings, where that can be asked."""
    try:
        return asked(data, {"seed": seed})
    except TableError:
        return None


def names_only(frame: pl.DataFrame) -> list[dict[str, Any]]:
    return [{"name": name, "kind": "", "what": "", "used": False} for name in frame.columns]


def annealed(path: str, settings: Settings, rows: list[int]) -> list[dict[str, Any]]:
    """The groups of these rows, by their numbers from 1, as the temperature falls."""
    from unmix.exploration.recognition.choice import MADE_POINTS
    from unmix.studio.children.annealed import path_of

    question = asked(read(path, settings.get("sample"), settings["seed"]), settings)
    if question.form.name in MADE_POINTS:
        raise TableError(f"A table of {question.form.name} has no annealing path here; a table of measurements has.")
    prepared = question.prepared
    X = prepared.X[np.searchsorted(prepared.rows, rows)]
    return path_of(X, prepared.features, settings["seed"])


def points(path: str, settings: Settings, folder: str, to: str) -> int:
    """Every row on the map of a run, written to a file; how many there are."""
    from unmix.exploration.recognition.choice import MADE_POINTS
    from unmix.studio.children.points import write_points

    question = asked(read(path, settings.get("sample"), settings["seed"]), settings)
    if question.form.name in MADE_POINTS:
        raise TableError(f"A table of {question.form.name} has no map of every row here.")
    return write_points(question, Path(folder), Path(to))


def asked(data: LongTable, settings: Settings) -> Any:
    """The question with these settings, as a run asks it."""
    from unmix.exploration.question import ask

    options = {name: settings.get(name) for name in (*ROLES, "type")}
    others = {name: value for name, value in settings.items() if name not in options}
    return ask(data, lambda words: None, options=options, **others)


def first_rows(frame: pl.DataFrame) -> Iterator[list[str | None]]:
    for row in frame.head(MOST_SHOWN).iter_rows():
        yield [None if cell is None else str(cell)[:LONGEST_CELL] for cell in row]


def rows_as_csv(path: str, rows: list[int], group: str) -> str:
    """Rows of the table, by their numbers from 1, with every column as it is and the name of the group."""
    from unmix.exploration.question import rows_looked_at

    data = rows_looked_at(path, None, 0)
    out, start, wanted = io.StringIO(), 0, np.array(sorted(set(rows)), int) - 1
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(["row", "group", *map(guard, data.sample.frame.columns)])
    for batch in data.batches():
        inside = wanted[(wanted >= start) & (wanted < start + batch.height)]
        for i, row in zip(inside.tolist(), batch[inside - start].iter_rows()):
            lines.writerow([i + 1, guard(group), *map(_cell, row)])
        start += batch.height
    return out.getvalue()


def _cell(value: Any) -> Any:
    """The cell as it stands; text that a spreadsheet would run gets an apostrophe, a number below zero is none."""
    if not isinstance(value, str):
        return "" if value is None else value
    try:
        float(value)
    except ValueError:
        return guard(value)
    return value


def compared(old: str, new: str, same_table: bool) -> dict[str, Any]:
    """`unmix compare` of two runs, and where they are of one table, how far their groups agree row by row."""
    from unmix.exploration.comparison.compare import compare

    try:
        found: dict[str, Any] = compare(old, new).to_dict()
    except ValueError as error:
        found = {"refused": str(error)}
    return found | {"agreement": agreement(Path(old), Path(new)) if same_table else None}


def agreement(old: Path, new: Path) -> dict[str, Any] | None:
    """Rows of each old group in each new one, and the adjusted Rand index: 1 if equal, 0 as by chance."""
    from sklearn.metrics import adjusted_rand_score

    a, b = (pl.read_csv(folder / "labels.csv", columns=["cluster"])["cluster"].fill_null(-1) for folder in (old, new))
    if len(a) != len(b):
        return None
    counts = pl.DataFrame({"old": a, "new": b}).group_by("old", "new").len().sort("old", "new")
    return {"rand": float(adjusted_rand_score(a.to_numpy(), b.to_numpy())), "counts": counts.rows()}


def cluster_rows(folder: str, cluster: int) -> list[int]:
    """All rows of a cluster of a run, by their numbers from 1."""
    frame = pl.read_csv(Path(folder) / "labels.csv", columns=["row", "cluster"])
    found: list[int] = frame.filter(pl.col("cluster") == cluster)["row"].to_list()
    return found


ANSWERS: dict[str, Callable[..., Any]] = {
    "preview": preview,
    "annealed": annealed,
    "rows_as_csv": rows_as_csv,
    "compared": compared,
    "cluster_rows": cluster_rows,
    "points": points,
    **roles_answers.ANSWERS,
    **signal_answers.ANSWERS,
}

if __name__ == "__main__":
    main()
