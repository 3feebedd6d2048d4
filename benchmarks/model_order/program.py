"""Prints, for every family of tables, how many numbers each method got right, with the error of the share.

python -m benchmarks.model_order.program [--sets null,separated,tibshirani,known,mixtures] [--repeats 20] [--peers]
python -m benchmarks.model_order.program --fresh [--repeats 20] [--peers]        tables no threshold was chosen on
"""

from __future__ import annotations

import argparse
import time
import warnings
from typing import Any

import numpy as np

from benchmarks.model_order.fresh import fresh, fresh_null
from benchmarks.model_order.tables import FAMILIES
from unmix.cluster import KMeans
from unmix.validation import Consensus, select

MAX_K = 10
FRESH = {"fresh": fresh, "fresh null": fresh_null}


def answers(X: np.ndarray, peers: bool) -> dict[str, Any]:
    max_k = min(MAX_K, len(X) // 3)
    started = time.process_time()
    selection = select(KMeans(), X, range(1, max_k + 1), Consensus(), random_state=0)
    found: dict[str, Any] = {"unmix": selection.details["consensus"].n_clusters}
    found["seconds"] = time.process_time() - started
    if peers:
        from benchmarks.model_order.peers import peer_answers

        found |= peer_answers(X, max_k)
    return found


def print_line(kind: str, rows: list[dict[str, Any]]) -> None:
    methods = [name for name in rows[0] if name not in {"truth", "seconds"}]
    n = len(rows)
    shares = {m: sum(row[m] == row["truth"] for row in rows) / n for m in methods}
    text = "  ".join(f"{m} {100 * s:.0f} ± {100 * np.sqrt(s * (1 - s) / n):.0f} %" for m, s in shares.items())
    print(f"{kind:34s} n = {n:3d}  {text}  ({np.mean([row['seconds'] for row in rows]):.1f} CPU s)", flush=True)


def run(families: list[str], repeats: int, peers: bool) -> None:
    for family in families:
        kinds: dict[str, list[dict[str, Any]]] = {}
        for kind, X, k in (FAMILIES | FRESH)[family](repeats):
            kinds.setdefault(kind, []).append(answers(X, peers) | {"truth": k})
        for kind, rows in kinds.items():
            print_line(kind, rows)
        if len(kinds) > 1:
            print_line(f"all of {family}", [row for rows in kinds.values() for row in rows])


def main(options: argparse.Namespace | None = None) -> None:
    """Called by `python -m benchmarks model_order` (everything, 20 repeats, 2 if quick) or with options of its own."""
    warnings.simplefilter("ignore")
    if options is not None:
        return run([*FAMILIES, *FRESH], 2 if options.quick else 20, peers=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", default=",".join(FAMILIES))
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--peers", action="store_true")
    given = parser.parse_args()
    return run(list(FRESH) if given.fresh else given.sets.split(","), given.repeats, given.peers)


if __name__ == "__main__":
    main()
