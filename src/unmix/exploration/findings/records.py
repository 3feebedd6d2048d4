"""What exploring a table found: a tree of plain records, one for each part of the answer.

`Findings.to_dict()` is the whole answer as JSON: every number finite or null, lists instead of arrays, names as the
table spells them (nothing is escaped here: escaping belongs to whoever writes HTML, CSV or a terminal line).
Labels count from 0 in the order of `clusters`, as the model counts them; -1 marks a row that was left out.
Row numbers count data rows from 1, as a person does; the header is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from unmix.exploration.findings.json_values import json_value
from unmix.exploration.findings.summary import plain_text


@dataclass
class Source:
    """Where the table came from and how it was read."""

    name: str
    n_rows: int
    n_columns: int
    bytes: int | None  # size of the file; None for a table that was already in memory
    how: str  # one sentence: format, delimiter, encoding, header


@dataclass
class Column:
    """One column: its kind and the reason for it, whether the clustering used it, and in one sentence what was done.

    `form` is how its values are treated, whatever they mean; `summary` depends on it:
    numeric: min, q25, median, q75, max, mean, std, skewness, histogram {edges (m + 1), counts (m)}; of a table of which
        not all rows were looked at quartile_error too, the share of rows by which ranks of quartiles may be off
    category, boolean: levels [{value, count}] (most frequent first, at most 12), n_other (rows in other levels)
    constant: value · date: min, max (ISO strings) · id, text: example, mean_length
    """

    name: str
    # numeric | count | ordered | coordinate | category | code | boolean | date | calendar | id | counter | text |
    # constant | derived | target
    kind: str
    used: bool
    what: str
    n_missing: int
    n_unique: int  # different values, missing not counted
    summary: dict[str, Any] = field(default_factory=dict)
    reason: str = ""  # why it is that kind, in a few words
    form: str = ""  # numeric | category | boolean | constant | id | text | date
    describes: bool = True  # whether clusters may be described by it
    n_rows: int | None = None  # that n_missing is of, and the summary of numbers and levels

    def __post_init__(self) -> None:
        self.form = self.form or self.kind


@dataclass
class Missing:
    """How many cells were empty, and what was done about them, in one sentence."""

    n_cells: int
    fraction: float
    treatment: str
    n_rows_dropped: int = 0


@dataclass
class Spectrum:
    """Variance explained by each principal component beside what columns without any relation would give.

    `loadings[j]` lists for component j + 1 the columns that make it, heaviest first: {column, weight}.
    """

    explained_variance_ratio: list[float]
    reference: list[float]  # 95 % quantile over tables whose columns were shuffled independently
    n_suggested: int
    sentence: str
    loadings: list[list[dict[str, Any]]] = field(default_factory=list)


@dataclass
class CriterionCurve:
    """One criterion over the grid of k, with error bars of one standard error; null where it is not defined."""

    name: str
    values: list[float | None]
    errors: list[float | None]
    best: int | None  # the k this criterion prefers
    higher_is_better: bool = True
    what: str = ""  # one sentence: what the criterion measures


@dataclass
class Selection:
    """How many clusters, in numbers and in words."""

    k: list[int]
    criteria: list[CriterionCurve]
    chosen_k: int  # 1 = no cluster structure beyond chance
    verdict: str
    confidence: float | None  # between 0 and 1: share of resampled tables that give the same number of clusters
    n_rows_used: int = 0
    probability: float | None = None  # that there are clusters at all; calibrated, as those of the numbers
    probabilities: list[float] | None = None  # of each number in k; what is missing to 1 is some other number


@dataclass
class Distinct:
    """One thing that sets a cluster apart: a column, how far it lies from the rest, and the sentence to print.

    Numeric: effect = (mean inside - mean overall) / standard deviation overall; inside, overall are means.
    Category: effect = difference of the arcsine-transformed shares (Cohen's h); inside, overall are shares of `level`.
    """

    column: str
    sentence: str
    effect: float
    inside: float
    overall: float
    level: str | None = None  # the category's level; None for a numeric column


@dataclass
class TypicalRow:
    """A row with its original values, and for a borderline or odd one the reason, in a few words."""

    row: int
    values: dict[str, Any]
    reason: str = ""


@dataclass
class Condition:
    """One condition of a rule: a number between two bounds (None: open), or a category that is one of `levels`."""

    column: str
    low: float | None = None
    high: float | None = None
    levels: list[str] = field(default_factory=list)


@dataclass
class Rule:
    """At most three conditions that tell a cluster from the others.

    precision: of the rows that meet them, the share in the cluster; recall: of the cluster, the share that meets them.
    Both are counted on rows that took no part in finding the rule.
    """

    sentence: str
    conditions: list[Condition]
    precision: float
    recall: float


@dataclass
class Cluster:
    """A card: size, a short name, what sets it apart, typical rows."""

    label: int
    size: int
    fraction: float
    name: str
    stability: float | None  # how often its rows keep their cluster on resampled rows, between 0 and 1
    confidence: float | None  # mean confidence of its rows
    distinct: list[Distinct] = field(default_factory=list)
    typical_rows: list[TypicalRow] = field(default_factory=list)
    rule: Rule | None = None
    borderline_rows: list[TypicalRow] = field(default_factory=list)  # nearly as close to another cluster
    odd_rows: list[TypicalRow] = field(default_factory=list)  # far from every row of their cluster


@dataclass
class Level:
    """A group in the tree of groups inside groups, with the evidence that it splits again, or does not.

    `path` is "0", "1", "1.0", … by the labels on the way down; `probability` is that the group holds further groups.
    """

    path: str
    size: int
    fraction: float
    name: str
    probability: float | None
    sentence: str  # "splits again into 2, fairly clear", "no further groups beyond chance", "too few rows to look"
    children: list[Level] = field(default_factory=list)


@dataclass
class Alternative:
    """The clusters for another number of them: labels of the rows on the map, in its order, and what they are."""

    k: int
    probability: float | None
    labels: list[int]
    sizes: list[int]
    names: list[str]


@dataclass
class Association:
    """How much two columns tell of each other: bits a row beyond what chance gives, and their standard error.

    `share`, between 0 and 1, is of the bits of the column that has fewer, both at the resolution of quantile bins and
    levels; `p_value` is against tables without relations, the largest of all pairs of each, on the rows that were
    looked at.
    """

    columns: list[str]
    bits: float
    error: float | None
    share: float
    p_value: float
    n_rows: int  # with both cells, that the bits are of
    sentence: str  # "bill_length_mm rises with flipper_length_mm", "species goes with island"


@dataclass
class Associations:
    """The strongest relations between columns of any kinds, and what depends on missing cells or a target."""

    sentence: str
    pairs: list[Association] = field(default_factory=list)  # beyond chance, strongest first
    n_pairs: int = 0  # looked at
    redundant: list[str] = field(default_factory=list)  # sentences on columns that repeat others
    gaps: list[str] = field(default_factory=list)  # sentences: what is missing together, what it depends on
    described: list[Association] = field(default_factory=list)  # a target or described column with clusters, components
    odd_rows: list[TypicalRow] = field(default_factory=list)  # that stand out from the whole table, with the reason


@dataclass
class KindOfStructure:
    """A line of the ledger: what a row costs in bits under one kind of structure, and what the kind saves.

    `foretold` is what it saves on rows held out, learned from the others.
    """

    kind: str  # independent | factors | groups | both | parts | sources
    bits: float
    error: float
    saved: float
    saved_error: float
    foretold: float
    size: str


@dataclass
class LedgerRecord:
    """What kind of structure it is, in bits: `unmix.validation.ledger` of the columns that were used."""

    leader: str
    sentence: str
    kinds: list[KindOfStructure]
    n_rows: int
    notes: list[str] = field(default_factory=list)


@dataclass
class RowTable:
    """The rows behind the marks of the map, in its order: original values, and an id where the table has one."""

    columns: list[str]
    values: list[list[Any]]  # one list a column
    ids: list[str] | None
    sentence: str  # how many of how many rows and columns these are


@dataclass
class Map:
    """Rows in the plane of the first two principal components; a random sample of them where there are many."""

    x: list[float]
    y: list[float]
    label: list[int]
    row: list[int]
    confidence: list[float]
    x_label: str
    y_label: str
    n_shown: int
    n_total: int


@dataclass
class Findings:
    """Everything `unmix.explore` found in a table.

    Attributes beside the tree, which `to_dict` leaves out because they have one entry a row:

    labels : ndarray of shape (n_rows,), cluster of each row, -1 for a row that was left out
    confidence : ndarray of shape (n_rows,), between 0 and 1, nan for a row that was left out
    model : the fitted estimator
    ids : Series of shape (n_rows,), the names of the rows, or None where no column was given for them
    paths : ndarray of shape (n_rows,), the way down the tree of groups as in `levels`, or None where none splits
    encoding : how rows become features, for `unmix.assign` and `unmix.compare`
    table : the rows themselves, to be written beside their labels
    parts : where the table is in many files, what writes labels file by file; where the workers of a cluster read
        them, `labels` and `confidence` are empty
    """

    version: str
    command: str  # what reproduces this answer
    seed: int
    created: str  # ISO time, UTC
    source: Source
    columns: list[Column]
    missing: Missing
    spectrum: Spectrum
    selection: Selection
    clusters: list[Cluster]
    map: Map
    warnings: list[str] = field(default_factory=list)  # something about the table the reader should look at
    caveats: list[str] = field(default_factory=list)  # limits of the answer
    levels: list[Level] = field(default_factory=list)
    alternatives: list[Alternative] = field(default_factory=list)
    associations: Associations | None = None
    ledger: LedgerRecord | None = None
    rows: RowTable | None = None
    settings: dict[str, Any] = field(default_factory=dict)  # what `explore` was given besides the table
    labels: np.ndarray = field(default_factory=lambda: np.empty(0, int), repr=False)
    confidence: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)
    model: Any = field(default=None, repr=False)
    ids: Any = field(default=None, repr=False)
    paths: np.ndarray | None = field(default=None, repr=False)
    encoding: Any = field(default=None, repr=False)
    table: Any = field(default=None, repr=False)
    parts: Any = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON-ready values: finite numbers or None, strings, lists, dicts."""
        per_row = {"labels", "confidence", "model", "ids", "paths", "encoding", "table", "parts"}
        return {f.name: json_value(getattr(self, f.name)) for f in fields(self) if f.name not in per_row}

    def __repr__(self) -> str:
        return plain_text(self)

    def _repr_html_(self) -> str:
        from unmix.exploration.findings.output import html_view

        return html_view(self)

    def save(self, directory: str | Path, with_columns: bool = False) -> Path:
        """Write labels.csv, findings.json, model, encoding and report.html into `directory`, all of them or none.

        Of a table in many files, labels are a folder of Parquet files with the names and folders of the table's own.
        `with_columns` puts the columns of the table itself beside the labels.
        """
        from unmix.exploration.findings.output import save

        return save(self, Path(directory), with_columns)
