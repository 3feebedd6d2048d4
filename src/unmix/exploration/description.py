"""What was found in a table, as records: cards, map, tree of groups, relations, ledger, what later commands need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import polars as pl

import unmix
from unmix.exploration.analysis import Analysis, n_axes
from unmix.exploration.assignment.encoding import make_encoding
from unmix.exploration.associations.associate import associate
from unmix.exploration.columns.preparation import missing_cells
from unmix.exploration.findings.records import Associations, Findings, Missing, Source
from unmix.exploration.groups.cards import make_cards
from unmix.exploration.levels.records import level_records
from unmix.exploration.parts.all_columns import tell_of_all
from unmix.exploration.parts.counting import PlacedRows
from unmix.exploration.parts.places import PlacesInFiles
from unmix.exploration.parts.words import fitted_to_all, whose_numbers
from unmix.exploration.parts.writing import Parts
from unmix.exploration.recognition.choice import MADE_POINTS
from unmix.exploration.structure.all_rows import count_all
from unmix.exploration.structure.alternatives import Grouped, make_alternatives
from unmix.exploration.structure.clustering import shape_in_words
from unmix.exploration.structure.evaluation_set import most_rows
from unmix.exploration.structure.ledger_lines import ledger_record
from unmix.exploration.structure.plane import make_map
from unmix.exploration.structure.row_table import make_row_table
from unmix.io.long_table import LongTable


def describe_findings(found: Analysis, command: str, given: dict[str, Any], say: Callable[[str], None]) -> Findings:
    """The findings, with what `explore` was given; `say` is told before each step."""
    (data, prepared, form, _, _, seed), looked_at, components, clustering, branches, places, ledger, _ = found
    say("comparing columns")
    associations = associate(prepared, looked_at, components, clustering, seed)
    if found.tells_of_all:
        say("counting all rows")
        associations = tell_of_all(data, prepared, looked_at, associations)
    say("describing clusters")
    findings = _findings(found, associations, command)
    names = [cluster.name for cluster in findings.clusters]
    findings.levels = level_records(branches, names, prepared, places.counted())
    findings.paths = places.paths
    say("measuring kinds of structure")
    findings.ledger = ledger_record(ledger, clustering.selection, components.spectrum)
    findings.settings = {"seed": int(seed)} | {name: value for name, value in given.items() if value}
    if form.name not in MADE_POINTS:  # new rows of counts or dissimilarities go to the model itself
        findings.encoding = make_encoding(findings, prepared, clustering, looked_at, clustering.axes)
    findings.table = data
    if isinstance(places, PlacesInFiles) and data.files is not None:
        placed = PlacedRows(places.labels, places.confidence, places.paths) if len(places.labels) else None
        findings.parts = Parts(data.files, places.recipe, names, given["id"], placed)
    elif given["id"] is not None:
        findings.ids = pl.concat([batch[given["id"]] for batch in data.batches()])
    _look_behind(findings, found)
    return findings


def _findings(found: Analysis, associations: Associations, command: str) -> Findings:
    (data, prepared, *_, seed), _, components, clustering, _, places, *_ = found
    spectrum, sample = components.spectrum, data.sample
    plane = make_map(components.scores, spectrum, clustering.labels, clustering.confidence, prepared.rows, seed)
    cards = make_cards(clustering, prepared, seed)
    sizes = places.sizes(len(cards))
    return Findings(
        version=unmix.__version__,
        command=command,
        seed=int(seed),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        source=Source(sample.name, data.height, sample.frame.width, sample.bytes, sample.how),
        columns=prepared.columns,
        missing=_missing(found),
        spectrum=spectrum,
        selection=clustering.selection,
        clusters=count_all(cards, sizes),
        map=replace(plane, n_total=int(sizes.sum())),
        warnings=sample.warnings + prepared.warnings,
        caveats=_caveats(found, associations, clustering.shape if clustering.selection.chosen_k > 1 else None),
        associations=associations,
        labels=places.labels,
        confidence=places.confidence,
        model=clustering.model,
    )


def _missing(found: Analysis) -> Missing:
    """Of all rows, where all were counted."""
    data, prepared = found.question.data, found.question.prepared
    if not found.tells_of_all:
        return prepared.missing
    n_dropped = data.height - int(found.places.sizes(found.clustering.selection.chosen_k).sum())
    filled = any(c.used and c.form == "numeric" and c.n_missing > n_dropped for c in prepared.columns)
    return missing_cells(prepared.columns, (data.height, len(prepared.columns)), filled, n_dropped)


def _look_behind(findings: Findings, found: Analysis) -> None:
    """The rows behind the map, and the clusters they would have if there were more or fewer."""
    (_, prepared, *_, seed), _, components, clustering, *_ = found
    m = n_axes(prepared, components.spectrum.n_suggested)
    space = components.scores[:, :m] if m else prepared.X
    shown = np.searchsorted(prepared.rows, findings.map.row)
    names = [cluster.name for cluster in findings.clusters]
    labels, shape = clustering.labels[shown], clustering.shape
    grouped = Grouped(space[shown], labels, names, prepared.X[shown], prepared.features, shape)
    findings.alternatives = make_alternatives(grouped, clustering.selection, seed)
    ids = _names_of(findings, found.question.data)
    findings.rows = make_row_table(prepared.columns, prepared.kinds, shown, findings.source.n_rows, ids)


def _names_of(findings: Findings, data: LongTable) -> pl.Series | None:
    """The names of the rows on the map, where rows have names."""
    numbers = np.asarray(findings.map.row) - 1
    if findings.parts is not None and findings.parts.id is not None:
        return data.sample.frame[findings.parts.id].gather(np.searchsorted(data.rows, numbers))
    return None if findings.ids is None else findings.ids.gather(pl.Series(numbers))


def _caveats(found: Analysis, associations: Associations, shape: str | None) -> list[str]:
    data, prepared, components = found.question.data, found.question.prepared, found.components
    n, d = prepared.X.shape
    said = [] if shape is None else [shape_in_words(shape)]
    if found.tells_of_all:
        fitted = fitted_to_all(found.n_passes, found.clustering.shape)
        said += whose_numbers(len(data.rows), data.height, fitted, prepared.columns, associations)
    elif not data.is_whole:
        said.append(
            f"What is said of columns and rows was looked for in {len(data.rows):,} of {data.height:,} rows drawn at "
            "random; every row got its nearest cluster."
        )
    if n > most_rows:
        said.append(f"The number of clusters was chosen on {most_rows:,} of {n:,} rows drawn at random.")
    if m := n_axes(prepared, components.spectrum.n_suggested):
        first = "component" if m == 1 else f"{m} components"
        said.append(f"Clusters were sought in the first {first} of {d} features.")
    if n < 30:
        said.append(f"{n} rows are few: expect the answer to change with more.")
    return said
