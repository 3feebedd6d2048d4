"""One solver on one data set in a process of its own, so that memory and first calls are its own and nobody else's.

Reads one JSON request a line, `{"seed": 3}`, runs the solver once and answers one JSON line with what was measured.
"""

import ctypes
import importlib.util
import json
import os
import resource
import sys
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

status = Path("/proc/self/status")


def resident(field: str) -> float:
    """MB from the kernel's account: VmRSS is what is held now, VmHWM the most since the last reset."""
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = next(line for line in status.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


def forget_peak() -> None:
    """Give freed memory back to the system, then let VmHWM start again from what is held now."""
    if status.exists():
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")


def measure(solver: Any, objective: Any, data: dict[str, Any], seed: int, threads: int) -> dict[str, float]:
    forget_peak()
    before = resident("VmRSS")
    wall, cpu = time.perf_counter(), time.process_time()
    result = solver.solve(seed=seed, threads=threads, **data)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resident("VmHWM") - before
    return {"wall": wall, "cpu": cpu, "peak": peak, "objective": float(objective.evaluate(result, **data))}


def main(benchmark: str, dataset: str, name: str, quick: str, threads: str) -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever a library prints must not mix with the answers
    warnings.simplefilter("ignore")
    solver = import_module(f"benchmarks.{benchmark}.solvers.{name}")
    missing = [module for module in solver.requires if importlib.util.find_spec(module) is None]
    if missing:
        print(json.dumps({"missing": missing}), file=answers)
        return
    objective = import_module(f"benchmarks.{benchmark}.objective")
    data = import_module(f"benchmarks.{benchmark}.datasets.{dataset}").load(quick == "quick")
    reason = solver.unable(**data) if hasattr(solver, "unable") else ""
    if reason:
        print(json.dumps({"unable": reason}), file=answers)
        return
    print(json.dumps({"ready": True}), file=answers)
    for line in sys.stdin:
        try:
            answer = measure(solver, objective, data, json.loads(line)["seed"], int(threads))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers)


if __name__ == "__main__":
    main(*sys.argv[1:])
