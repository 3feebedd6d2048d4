"""A table goes in, findings come out: what the columns are, how they move together, which groups the rows form.

read and prepare (question.py) → analyse (analysis.py) → describe (description.py)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from unmix.core.execution import current_execution, execution, locally
from unmix.exploration.analysis import analyse
from unmix.exploration.description import describe_findings
from unmix.exploration.findings.records import Findings
from unmix.exploration.question import ask

_few_cells = 2**14  # up to which threads would only wait for each other: the work is Python's own, not that of kernels


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
    client: Any = None,
) -> Findings:
    """Find out what a table holds: its columns, its main directions, its clusters, and how sure each of these is.

    Parameters
    ----------
    table : path, "-" for standard input, pandas or polars frame, array of one or two dimensions, dict of columns
        Any format of `unmix.io` if a path: CSV, TSV, Parquet, Arrow, npy, …; also a folder of such files, a pattern
        such as "sales/**/*.parquet", a list of paths, or a `unmix.io.DataSet`.
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
    client : dask.distributed.Client, optional
        A cluster whose workers read the files: the rows to look at are drawn there, sizes and sums of columns are
        passes over all rows, and `save` writes labels as Parquet files from the workers. By default that of
        `unmix.execution(executor=...)`, if any.

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
    options: dict[str, Any] = {"use": use, "drop": drop, "describe": describe, "type": type}
    options |= {"target": target, "id": id, "group": group, "order": order}
    numbers = {"seed": seed, "max_k": max_k, "k": k, "sample": sample}
    source = files_on(table, client or current_execution().executor)
    with locally():
        question = ask(source, say, **numbers, categories=categories, as_=as_, topics=topics, options=options)
    given = {"max_k": max_k, "k": k, "categories": categories if categories != "auto" else None, "sample": sample}
    given |= {"as_": as_ if as_ != "auto" else None, "topics": topics, **options}
    with locally(), execution(threads=1 if question.prepared.X.size <= _few_cells else None):
        found = analyse(question, say)
        return describe_findings(found, command or python_call(table, seed, given), given, say)


def files_on(table: Any, client: Any) -> Any:
    """Files as a data set that the workers of a cluster read; anything else as it is."""
    from unmix.io.data_set.data_set import DataSet
    from unmix.io.given import names_files

    if client is None or not names_files(table) or str(table) == "-":
        return table
    with execution(executor=client):
        return DataSet(table)


def python_call(table: Any, seed: int, options: dict[str, Any]) -> str:
    """The call that gives the same answer."""
    given = {"seed": seed} | {name: value for name, value in options.items() if value is not None}
    source = repr(str(table)) if isinstance(table, str | Path) else "table"
    return f"unmix.explore({source}, {', '.join(f'{name}={value!r}' for name, value in given.items())})"
