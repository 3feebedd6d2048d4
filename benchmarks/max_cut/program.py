"""Cuts of the Biq Mac and Gset graphs in ../shared/data/ising, and simulated annealing of dwave-samplers beside them.

The peer gets as many sweeps a run as ours and as many runs as fit into at least the same CPU time.
"""

import argparse
import csv
import importlib.util
import time
from typing import Any

import numpy as np
import scipy.sparse as sp

from benchmarks.discover import folder

data = folder.parent / ".." / "shared" / "data" / "ising"


def load(graphs: Any, name: str) -> sp.csr_array:
    (i, j), n = graphs[f"{name}__ij"].T, int(graphs[f"{name}__n"])
    half = sp.coo_array((graphs[f"{name}__w"].astype(float), (i, j)), shape=(n, n)).tocsr()
    return sp.csr_array(half + half.T)


def peer_cut(W: sp.csr_array, seconds: float, seed: int) -> float:
    from benchmarks.ising.solvers.dwave import solve

    J, best, round_ = -W, 0.0, 0
    solve(J, 1, 1, seed, 1)  # its form of the model is made before time is taken
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        spins = solve(J, 5, 1000, seed + 1000 * round_, 1)
        best, round_ = max(best, (W.sum() - spins @ (W @ spins)) / 4), round_ + 1
    return best


def main(options: argparse.Namespace) -> None:
    import unmix
    from unmix.cluster import max_cut

    if not data.is_dir():
        print("the graphs (../shared/data/ising beside the project) are not on this machine")
        return
    with_peer = importlib.util.find_spec("dwave") is not None
    graphs = np.load(data / "maxcut.npz")
    rows = list(csv.DictReader((data / "best_known.csv").read_text().splitlines()))
    max_cut(np.ones((40, 40)), n_init=2, n_sweeps=2, random_state=0)  # compiled before time is taken
    max_cut(sp.csr_array(load(graphs, "G11")), n_init=2, n_sweeps=2, generations=1, random_state=0)
    print(f"\n# max_cut, {options.repeat} seeds, {options.threads} thread(s); CPU seconds of one call")
    print(f"{'graph':20}{'n':>6}{'best known':>12}{'unmix: worst':>14}{'best':>10}{'CPU s':>8}{'dwave':>12}")
    for row in (row for row in rows if options.only in row["instance"]):
        W, known = load(graphs, row["instance"]), int(row["best_known_cut"])
        cuts, times = [], []
        for seed in range(options.repeat):
            begin = time.process_time()
            with unmix.execution(threads=options.threads):
                cuts.append(max_cut(W, random_state=seed).cut_)
            times.append(time.process_time() - begin)
        peer = f"{100 * peer_cut(W, float(np.median(times)), 0) / known:11.3f}%" if with_peer else f"{'-':>12}"
        shares = f"{100 * min(cuts) / known:13.3f}%{100 * max(cuts) / known:9.3f}%"
        print(f"{row['instance']:20}{row['n']:>6}{known:12}{shares}{np.median(times):8.2f}{peer}", flush=True)
