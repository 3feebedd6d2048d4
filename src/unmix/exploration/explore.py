"""A table goes in, findings come out: what the columns are, how they move together, which groups the rows form.

read → prepare (kinds, usage, encoding, missing values) → components → clusters → cards and map
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import unmix
from unmix.core.random import spawn
from unmix.exploration.assignment.encoding import make_encoding
from unmix.exploration.associations.associate import associate
from unmix.exploration.columns.control import listed, make_control
from unmix.exploration.columns.preparation import Prepared, prepare
from unmix.exploration.findings.records import Findings, Source
from unmix.exploration.groups.cards import make_cards
from unmix.exploration.levels.records import level_records
from unmix.exploration.levels.tree import find_branches
from unmix.exploration.recognition.choice import MADE_POINTS, pointer, recognise_form
from unmix.exploration.recognition.rows import prepare_form, regroup
from unmix.exploration.structure.all_rows import Places, count_all, place_all
from unmix.exploration.structure.alternatives import Grouped, make_alternatives
from unmix.exploration.structure.cloud import coded, fit_cloud
from unmix.exploration.structure.clustering import Clustering, find_clusters, shape_in_words
from unmix.exploration.structure.judged import Axes, Rows, judged_rows, look_at_rows, most_rows
from unmix.exploration.structure.ledger_lines import find_ledger
from unmix.exploration.structure.plane import make_map
from unmix.exploration.structure.row_table import make_row_table
from unmix.exploration.structure.spectrum import Components, principal_components
from unmix.exploration.structure.without import dependence_in_words, depends_on
from unmix.io.errors import TableError
from unmix.io.long_table import LongTable, read_rows

most_rows_looked_at = 100_000  # of a longer table so many are drawn at random
_usual_max_k = 10
_most_features = 10  # with more, clusters are sought in the components that stand out of the noise


def explore(
    table: Any,
    *,
    seed: int = 0,
    max_k: int | None = None,
    k: int | None = None,
    categories: str = "auto",
    use: str | Sequence[str] | None = None,
    drop: str | Sequence[str] | None = None,
    describe: str | Sequence[str] | None = None,
    type: Mapping[str, str] | None = None,
    target: str | None = None,
    id: str | None = None,
    group: str | None = None,
    order: str | None = None,
    sample: int | None = None,
    as_: str = "auto",
    topics: str | Sequence[str] | None = None,
    command: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> Findings:
    """Find out what a table holds: its columns, its main directions, its clusters, and how sure each of these is.

    Parameters
    ----------
    table : path, "-" for standard input, pandas or polars frame, array of one or two dimensions, dict of columns
        Any format of `unmix.io` if a path: CSV, TSV, Parquet, Arrow, npy, …
    seed : int, default=0
        Every random choice derives from it: same table, same seed, same findings.
    max_k : int, optional
        Largest number of clusters considered; 10 if not given, fewer where there are fewer rows.
    k : int, optional
        The number of clusters to make, whatever the table speaks for; that is said beside it.
    categories : {"auto", "use", "describe"}, default="auto"
        Whether category columns form the clusters or only describe them. "auto" lets them form clusters where the
        table has fewer than two numeric columns, or no more numeric columns than categories.
    use, drop, describe : str or list of str, optional
        Columns that form the clusters (and no others), that are left out altogether, that only describe the clusters.
    type : dict of str to str, optional
        What columns are, where their values mislead: number, count, ordered, coordinate, category, code, boolean,
        target, id, counter, text, date, calendar, derived.
    target : str, optional
        The column others are to explain: it describes the clusters and does not form them.
    id : str, optional
        The column that names the rows, also in labels.csv.
    group, order : str, optional
        The column that names the unit several rows belong to, and the one rows follow each other by.
    sample : int, optional
        Look for columns, components and clusters in so many rows drawn at random; 100,000 if not given.
    as_ : {"auto", "table", "counts", "binary", "dissimilarities", "signals"}, default="auto"
        What form the table has (``as`` itself is a word of Python). "auto" recognises counts and square tables of
        dissimilarities where they are sure, and clusters them by `HistogramClustering` and `PairwiseClustering`; for
        tables of 0 and 1 and for signals it names the command that looks deeper. "table" takes rows for measurements.
    topics : str or list of str, optional
        Columns of texts that are taken apart into topics: the share of each is a column that describes the clusters, or
        forms them if the column of texts is among those to `use`.
    command : str, optional
        What to print as the way to reproduce the answer.
    progress : callable, optional
        Called with a few words before each step.

    Returns
    -------
    Findings
        Prints as a summary; `labels`, `confidence`, `model`, `clusters`, `to_dict()`, `save(directory)`.

    Examples
    --------
    >>> import numpy as np, unmix
    >>> rng = np.random.default_rng(0)
    >>> table = {"height": np.r_[rng.normal(0, 1, 60), rng.normal(9, 1, 40)], "noise": rng.normal(size=100)}
    >>> findings = unmix.explore(table)
    >>> findings.selection.chosen_k
    2
    >>> [cluster.size for cluster in findings.clusters]
    [60, 40]
    >>> findings.clusters[1].name
    'higher height'
    """
    say = progress or (lambda words: None)
    _check(seed=(seed, 0), max_k=(max_k, 1), k=(k, 1), sample=(sample, 2))
    options: dict[str, Any] = {"use": use, "drop": drop, "describe": describe, "type": type}
    options |= {"target": target, "id": id, "group": group, "order": order}
    control = make_control(**options)
    say("reading the table")
    data = read_rows(table, sample or most_rows_looked_at, spawn(seed, 10))
    _check_rows(data.height, max_k=max_k, k=k)
    if topics is not None:
        from unmix.exploration.topics.table import with_topics  # few tables need it

        say("finding topics")
        data, control = with_topics(data, listed("topics", topics), control, seed)
    say("looking at the columns")
    rows = None if data.is_whole else data.rows
    form = recognise_form(data, as_, options | {"topics": topics})
    if form.name in MADE_POINTS:
        prepared = prepare_form(form, data.sample.frame.drop(control.drop), data.sample.row_names or id)
    else:
        prepared = prepare(data.sample.frame, seed, categories, data.sample.row_names, rows, control)
        prepared.warnings.extend(pointer(form, table))
    say("computing principal components")
    looked_at = look_at_rows(prepared, seed)
    ordered = None if looked_at.order is None else looked_at.numbers
    components = principal_components(prepared.X, prepared.owner, prepared.features, seed, prepared.holes, ordered)
    say("counting clusters")
    clustering = _cluster(prepared, looked_at, components, max_k or _usual_max_k, seed, k)
    if form.name in MADE_POINTS:
        clustering = regroup(form, prepared, clustering, seed)
    elif k is None:
        say("asking whether it hangs on one column")
        found = depends_on(prepared, looked_at, clustering.selection, max_k or _usual_max_k, seed)
        prepared.warnings.extend(dependence_in_words(found, clustering.selection.chosen_k))
    if not data.is_whole:
        say("giving every row its cluster")
    branches = find_branches(prepared, looked_at, clustering, seed)
    places = place_all(data, prepared, clustering, seed, branches.paths if branches.deep else None)
    say("describing clusters")
    given = {"max_k": max_k, "k": k, "categories": categories if categories != "auto" else None, "sample": sample}
    given |= {"as_": as_ if as_ != "auto" else None, "topics": topics}
    command = command or _python_call(table, seed, given | options)
    findings = _findings(data, prepared, components, clustering, places, seed, command)
    names = [cluster.name for cluster in findings.clusters]
    findings.levels = level_records(branches, names, prepared, places.labels, places.paths)
    findings.paths = places.paths
    say("comparing columns")
    findings.associations = associate(prepared, looked_at, components, clustering, seed)
    say("measuring kinds of structure")
    findings.ledger = find_ledger(prepared, looked_at, clustering.selection, components.spectrum, seed)
    findings.settings = {"seed": int(seed)} | {name: value for name, value in (given | options).items() if value}
    if form.name not in MADE_POINTS:  # new rows of counts or dissimilarities go to the model itself
        findings.encoding = make_encoding(findings, prepared, clustering, looked_at, _axes(prepared, components))
    findings.table = data
    findings.ids = None if id is None else pl.concat([batch[id] for batch in data.batches()])
    _look_behind(findings, prepared, components, clustering, seed)
    return findings


def _check(**options: tuple[Any, int]) -> None:
    """Whole numbers of at least so much, where they are given."""
    for name, (value, least) in options.items():
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if (value is None and name != "seed") or (whole and value >= least):
            continue
        raise TableError(f"{name} is {value!r}; a whole number of at least {least} was expected.")


def _check_rows(height: int, **options: int | None) -> None:
    for name, value in options.items():
        if value is not None and value > height:
            raise TableError(f"{name} is {value}, but the table has {height} rows; give at most that many.")


def _cluster(
    prepared: Prepared, looked_at: Rows, components: Components, max_k: int, seed: int, k: int | None = None
) -> Clustering:
    """Cluster the rows, where there are many features after projecting on the components that stand out.

    The projection stays in the feature space, X̂ = mean + (scores) (directions): the nearest centre of x is that of x̂,
    so the model also serves rows that were not projected.
    """
    X, m = prepared.X, components.spectrum.n_suggested
    directions = m if len(set(prepared.owner.tolist())) > 1 else None
    if prepared.category.any():
        cloud = fit_cloud(prepared, looked_at.numbers, seed)
        judged = judged_rows(prepared, looked_at, None, cloud)
        return find_clusters(coded(X, cloud), judged, max_k, seed, k, directions)
    axes = _axes(prepared, components)
    if axes is None:
        return find_clusters(X, judged_rows(prepared, looked_at, None), max_k, seed, k, directions)
    X = components.mean + components.scores[:, :m] @ axes.directions
    return find_clusters(X, judged_rows(prepared, looked_at, axes), max_k, seed, k, directions)


def _axes(prepared: Prepared, components: Components) -> Axes | None:
    m = components.spectrum.n_suggested
    return Axes(components.directions[:m], components.mean) if _projects(prepared, m) else None


def _projects(prepared: Prepared, m: int) -> bool:
    """Components of categories are neither flat nor discrete, so that chance could not be told from structure there."""
    d = prepared.X.shape[1]
    return d > _most_features and 0 < m < d and not prepared.category.any()


def _findings(
    data: LongTable, prepared: Prepared, components: Components, clustering: Clustering, places: Places,
    seed: int, command: str,
) -> Findings:  # fmt: skip
    spectrum, sample = components.spectrum, data.sample
    plane = make_map(components.scores, spectrum, clustering.labels, clustering.confidence, prepared.rows, seed)
    cards = make_cards(clustering, prepared, seed)
    return Findings(
        version=unmix.__version__,
        command=command,
        seed=int(seed),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        source=Source(sample.name, data.height, sample.frame.width, sample.bytes, sample.how),
        columns=prepared.columns,
        missing=prepared.missing,
        spectrum=spectrum,
        selection=clustering.selection,
        clusters=count_all(cards, places.labels),
        map=replace(plane, n_total=int((places.labels >= 0).sum())),
        warnings=sample.warnings + prepared.warnings,
        caveats=_caveats(data, prepared, components, clustering.shape if clustering.selection.chosen_k > 1 else None),
        labels=places.labels,
        confidence=places.confidence,
        model=clustering.model,
    )


def _look_behind(
    findings: Findings, prepared: Prepared, components: Components, clustering: Clustering, seed: int
) -> None:
    """The rows behind the map, and the clusters they would have if there were more or fewer."""
    m = components.spectrum.n_suggested
    space = components.scores[:, :m] if _projects(prepared, m) else prepared.X
    shown = np.searchsorted(prepared.rows, findings.map.row)
    names = [cluster.name for cluster in findings.clusters]
    grouped = Grouped(space[shown], clustering.labels[shown], names, prepared.X[shown], prepared.features)
    findings.alternatives = make_alternatives(grouped, clustering.selection, seed)
    ids = None if findings.ids is None else findings.ids.gather(pl.Series(findings.map.row) - 1)
    findings.rows = make_row_table(prepared.columns, prepared.kinds, shown, findings.source.n_rows, ids)


def _caveats(data: LongTable, prepared: Prepared, components: Components, shape: str | None) -> list[str]:
    n, d = prepared.X.shape
    said = [] if shape is None else [shape_in_words(shape)]
    if not data.is_whole:
        said.append(
            f"Columns, components and clusters were looked for in {len(data.rows):,} of {data.height:,} rows drawn at "
            "random, and all counts but the sizes of clusters are counts of these; every row got its nearest cluster."
        )
    if n > most_rows:
        said.append(f"The number of clusters was chosen on {most_rows:,} of {n:,} rows drawn at random.")
    if _projects(prepared, components.spectrum.n_suggested):
        said.append(f"Clusters were formed by the first {components.spectrum.n_suggested} components of {d} features.")
    if n < 30:
        said.append(f"{n} rows are few: expect the answer to change with more.")
    return said


def _python_call(table: Any, seed: int, options: dict[str, Any]) -> str:
    given = {"seed": seed} | {name: value for name, value in options.items() if value is not None}
    source = repr(str(table)) if isinstance(table, str | Path) else "table"
    return f"unmix.explore({source}, {', '.join(f'{name}={value!r}' for name, value in given.items())})"
