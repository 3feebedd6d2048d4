"""`python -m benchmarks pages`: CPU seconds of everything that pages quote, written to docs/measured.json."""

from __future__ import annotations

import datetime
import json
import os
import platform
import resource
from argparse import Namespace
from pathlib import Path

from benchmarks.pages.figures import FIGURES, Figure

PATH = Path(__file__).parents[2] / "docs" / "measured.json"
PAGE = PATH.with_suffix(".md")
marks = "<!-- table: python -m benchmarks pages -->", "<!-- end of table -->"


def cpu_seconds() -> float:
    """Of this process and of those it waited for."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def measured(figure: Figure) -> float:
    work = figure.prepare()
    if figure.warm:
        work()
    start = cpu_seconds()
    work()
    return cpu_seconds() - start


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def two_digits(seconds: float) -> float:
    return float(f"{seconds:.2g}")


def main(options: Namespace) -> None:
    import numpy
    import scipy

    chosen = [figure for figure in FIGURES if options.only in figure.name]
    kept = json.loads(PATH.read_text(encoding="utf-8"))["figures"] if PATH.exists() and options.only else {}
    for figure in chosen:
        kept[figure.name] = {"cpu_seconds": two_digits(measured(figure)), "what": figure.what, "page": figure.page}
        print(f"{figure.name:18}{kept[figure.name]['cpu_seconds']}", flush=True)
    run = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{processor()}, {os.cpu_count()} processors, {platform.system()}",
        "versions": f"Python {platform.python_version()}, NumPy {numpy.__version__}, SciPy {scipy.__version__}",
        "command": "python -m benchmarks pages",
        "figures": kept,
    }
    if not options.quick:
        PATH.write_text(json.dumps(run, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), run), encoding="utf-8")


def with_table(page: str, run: dict) -> str:
    """The page with the run between its marks."""
    before, after = page.partition(marks[0])[0], page.partition(marks[1])[2]
    lines = [
        f"Measured on {run['date']}: {run['machine']}; {run['versions']}.",
        "",
        "| what | CPU seconds | page |",
        "|---|---|---|",
    ]
    for figure in run["figures"].values():
        page = figure["page"].removeprefix("docs/")
        lines.append(f"| {figure['what']} | {figure['cpu_seconds']:g} | [{Path(page).stem}]({page}) |")
    return "\n\n".join([before + marks[0], "\n".join(lines), marks[1] + after])
