"""Prepares every table, explores those with known groups, and counts statements; `--quick` leaves groups out."""

import argparse
from collections import Counter, defaultdict
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

import unmix
from benchmarks.corpus.score import kind_statement, use_statement
from benchmarks.corpus.tables import AbsentError, facts, read
from unmix.exploration.columns.preparation import prepare

NOT_KINDS = ("from", "groups")
MOST_ROWS = 20_000  # of a table are looked at for its kinds


def score_columns(columns: list[Any], known: dict[str, Any], counts: dict[str, Counter]) -> list[str]:
    """Adds to the counts, and tells what was wrong or absent."""
    by_name, told = {column.name: column for column in columns}, []
    for fact, names in known.items():
        for name in [] if fact in NOT_KINDS else names:
            column = by_name[name]
            kind, use = kind_statement(fact, column.kind), use_statement(fact, column)
            counts[fact][kind] += 1
            counts["use"][use or "not asked"] += 1
            if "wrong" in (kind, use) or kind == "absent":
                used = ", used wrongly" * (use == "wrong")
                told.append(f"{name}: {fact}, said {column.kind} ({column.what}) [{kind}{used}]")
    return told


def columns_of(table: Any) -> list[Any]:
    """What is said of the columns, from some rows drawn at random where there are many, as `explore` does."""
    n = table.frame.height
    if n <= MOST_ROWS:
        return prepare(table.frame, 0, names=table.row_names).columns
    rows = np.sort(np.random.default_rng(0).choice(n, MOST_ROWS, replace=False))
    return prepare(table.frame[rows], 0, names=table.row_names, rows=rows).columns


def agreement(table: Any, groups: str) -> tuple[int, float]:
    """Number of clusters and adjusted Rand index with the known groups, among rows that got a cluster."""
    found = unmix.explore(table)
    truth = np.unique(np.array(table.frame[groups].to_list(), dtype=str), return_inverse=True)[1]
    placed = found.labels >= 0
    return found.selection.chosen_k, adjusted_rand_score(truth[placed], found.labels[placed])


def main(options: argparse.Namespace) -> None:
    counts: dict[str, Counter] = defaultdict(Counter)
    skipped, looked, groups = [], 0, []
    for name, known in facts().items():
        if options.only not in name:
            continue
        try:
            table = read(known["from"])
        except AbsentError as reason:
            skipped.append(f"{name}: skipped, {reason}")
            continue
        looked += 1
        told = score_columns(columns_of(table), known, counts)
        print(f"\n{name}: {table.frame.height:,} rows" + "".join(f"\n    {line}" for line in told), flush=True)
        if "groups" in known and not options.quick:
            k, index = agreement(table, known["groups"])
            groups.append(index)
            print(f"    {k} clusters, adjusted Rand index with {known['groups']} {index:.2f}", flush=True)
    summarise(counts, looked, groups, skipped)


def summarise(counts: dict[str, Counter], looked: int, groups: list[float], skipped: list[str]) -> None:
    print(f"\n# corpus: {looked} tables\n{'fact':14}{'right':>8}{'wrong':>8}{'absent':>8}")
    for fact, found in sorted(counts.items()):
        print(f"{fact:14}{found['right']:8}{found['wrong']:8}{found['absent']:8}")
    kinds = sum((found for fact, found in counts.items() if fact != "use"), Counter())
    print(f"{'all kinds':14}{kinds['right']:8}{kinds['wrong']:8}{kinds['absent']:8}")
    if groups:
        print(f"known groups: mean adjusted Rand index {np.mean(groups):.3f} over {len(groups)} tables")
    print("\n".join(skipped))
