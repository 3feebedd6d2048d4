"""Starts fresh processes and times them; the first ever run has no compiled kernels and no bytecode to find."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

from benchmarks.discover import folder

table = folder.parent / "examples" / "penguins.csv"
nothing = [sys.executable, "-c", "pass"]
explore = [sys.executable, "-m", "unmix", "explore", str(table), "--seed", "0", "--out"]


def seconds(command: list[str], **environment: str) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=os.environ | environment)
    return time.perf_counter() - start


def main(options: argparse.Namespace) -> None:
    print("\n# startup, seconds of wall time in fresh processes")
    for statement in ("import unmix", "import numpy", "import sklearn.cluster"):
        times = [seconds([sys.executable, "-c", statement]) - seconds(nothing) for _ in range(options.repeat)]
        print(f"{statement:40}{median(times):8.2f}")
    with tempfile.TemporaryDirectory() as scratch:
        fresh = {"NUMBA_CACHE_DIR": f"{scratch}/kernels", "PYTHONPYCACHEPREFIX": f"{scratch}/bytecode"}
        print(f"{'unmix explore penguins.csv, first ever':40}{seconds([*explore, f'{scratch}/first'], **fresh):8.2f}")
        warm = [seconds([*explore, f"{scratch}/run{i}"], **fresh) for i in range(min(options.repeat, 3))]
        print(f"{'unmix explore penguins.csv, warm':40}{median(warm):8.2f}")
