"""Starts fresh processes on an empty kernel cache and prints what a first use takes; `--quick` only counts kernels."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median
from typing import Any

from benchmarks.discover import folder
from unmix.cli.first_uses import names

table = folder.parent / "examples" / "penguins.csv"
explore = [sys.executable, "-m", "unmix", "explore", str(table), "--seed", "0", "--out"]


def seconds(command: list[str], **environment: str) -> tuple[float, float]:
    """CPU and wall seconds of a process."""
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=os.environ | environment)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return cpu, time.perf_counter() - begun


def line(name: str, runs: list[tuple[float, float]]) -> None:
    cpu, wall = (median(run[i] for run in runs) for i in (0, 1))
    print(f"{name:46}{cpu:9.2f}{wall:9.2f}", flush=True)


def first_use(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "benchmarks.startup.first_use", name]
        environment = os.environ | {"NUMBA_CACHE_DIR": scratch}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        return {"error": done.stderr.strip().splitlines()[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def print_imports(repeat: int) -> None:
    nothing = [sys.executable, "-c", "pass"]
    for statement in ("import unmix", "import unmix.cluster", "import sklearn.cluster"):
        line(statement, [seconds([sys.executable, "-c", statement]) for _ in range(repeat)])
    line("python itself", [seconds(nothing) for _ in range(repeat)])


def print_explore(repeat: int) -> None:
    """The first command of the README: its first ever run, and a later one."""
    first, later = [], []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as scratch:
            fresh = {"NUMBA_CACHE_DIR": f"{scratch}/kernels", "PYTHONPYCACHEPREFIX": f"{scratch}/bytecode"}
            fresh["PYTHONDONTWRITEBYTECODE"] = ""  # or a later run would parse every file again
            first.append(seconds([*explore, f"{scratch}/first"], **fresh))
            later.append(seconds([*explore, f"{scratch}/later"], **fresh))
    line("unmix explore penguins.csv, first ever", first)
    line("unmix explore penguins.csv, warm", later)


def print_first_uses(chosen: list[str], repeat: int, top: int) -> None:
    print(f"\n{'first use':46}{'CPU s':>9}{'wall s':>9}{'kernels':>9}{'compiling':>11}")
    for name in chosen:
        runs = [first_use(name) for _ in range(repeat)]
        if any("error" in run for run in runs):
            print(f"{name:46} failed: {next(run['error'] for run in runs if 'error' in run)}")
            continue
        best = sorted(runs, key=lambda run: run["cpu"])[len(runs) // 2]
        kernels = best["kernels"]
        print(
            f"{name:46}{best['cpu']:9.2f}{best['wall']:9.2f}{len(kernels):9d}{sum(kernels.values()):11.2f}", flush=True
        )
        for kernel, took in sorted(kernels.items(), key=lambda item: -item[1])[:top]:
            print(f"    {took:6.2f} {kernel}")


def main(options: argparse.Namespace) -> None:
    chosen = [name for name in names() if options.only in name]
    if options.quick:
        command = [sys.executable, "-m", "benchmarks.startup.count", *chosen]
        counted = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        print("\n# startup, kernels of every first use")
        for name, number in counted.items():
            print(f"{name:46}{number:9d}")
        return
    print(f"\n# startup, fresh processes, an empty kernel cache\n{'':46}{'CPU s':>9}{'wall s':>9}")
    if not options.only:
        print_imports(options.repeat)
    if options.only in "explore":
        print_explore(options.repeat)
    print_first_uses(chosen, options.repeat, top=10 if options.only else 3)
