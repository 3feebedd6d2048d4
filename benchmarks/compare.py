"""Runs every solver of a benchmark on every data set, in turns, and prints the ratios.

All solvers of a data set are alive at once and take turns, one run each a round: what slows the machine slows them all.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from importlib import import_module
from typing import Any

from benchmarks.discover import first_line, folder, parts
from benchmarks.table import print_table

# A worker thread of OpenMP or TBB spins up to 0.2 s after its work; nobody may spin into the next solver's turn.
quiet = 0.25


class SolverProcess:
    """A solver waiting in its own process; `run` makes it solve once."""

    def __init__(self, benchmark: str, dataset: str, name: str, options: argparse.Namespace) -> None:
        limits = ("OMP", "OPENBLAS", "MKL", "NUMBA", "POLARS_MAX")
        environment = os.environ | {
            f"{limit}_{'' if limit == 'POLARS_MAX' else 'NUM_'}THREADS": str(options.threads) for limit in limits
        }
        size = "quick" if options.quick else "full"
        command = [
            sys.executable,
            "-m",
            "benchmarks.solver_process",
            benchmark,
            dataset,
            name,
            size,
            str(options.threads),
        ]
        self.name = name
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
            cwd=folder.parent,
        )
        self.state = self.answer()
        self.runs: list[dict[str, float]] = []

    def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": f"the process ended with code {self.process.wait()}"}

    def run(self, seed: int) -> None:
        if "ready" not in self.state:
            return
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"seed": seed}) + "\n")
        self.process.stdin.flush()
        outcome = self.answer()
        if "error" in outcome:
            self.state = outcome
        else:
            self.runs.append(outcome)
        time.sleep(quiet)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(benchmark: str, options: argparse.Namespace) -> None:
    """Round 0 is each solver's first call in a fresh process (cold); the rounds after it are warm."""
    print(f"\n# {benchmark}: {first_line(import_module(f'benchmarks.{benchmark}'))}")
    objective = import_module(f"benchmarks.{benchmark}.objective")
    for dataset in parts(benchmark, "datasets"):
        if options.only not in dataset:
            continue
        module = import_module(f"benchmarks.{benchmark}.datasets.{dataset}")
        print(f"\n## {dataset}: {first_line(module)}{' (quick: a tenth)' if options.quick else ''}", flush=True)
        solvers = [SolverProcess(benchmark, dataset, name, options) for name in parts(benchmark, "solvers")]
        for round_ in range(1 + min(options.repeat, getattr(module, "most_rounds", options.repeat))):
            for solver in solvers:
                solver.run(seed=round_)
        for solver in solvers:
            solver.close()
        print_table(solvers, first_line(objective), options.threads)
