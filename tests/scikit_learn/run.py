"""Runs the rewritten tests in a process of their own and says how each of them ended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from tests.scikit_learn.rewritten import rewritten, tests_of_shared


class Outcome(NamedTuple):
    """One item: its name with the parameters, how it ended (passed, failed, skipped), and the last line of why."""

    name: str
    ended: str
    why: str


def run(module: str, folder: Path, options: Sequence[str] = ()) -> list[Outcome]:
    """Every item of a module of scikit-learn that uses a shared class."""
    wanted = set(tests_of_shared(module))
    file = folder / f"{module.rpartition('.')[2]}.py"
    file.write_text(rewritten(module), encoding="utf-8")
    report, settings = folder / f"{file.stem}.xml", folder / "pytest.ini"
    settings.write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--rootdir", str(folder), "-c", str(settings)]
    command += ["-p", "no:cacheprovider", "-p", "sklearn.conftest", f"--junitxml={report}", *options, str(file)]
    both = os.environ | {"SKLEARN_RUN_FLOAT32_TESTS": "1"}
    done = subprocess.run(command, env=both, cwd=folder, capture_output=True, text=True, timeout=1200, check=False)
    if not report.exists():
        raise RuntimeError(f"{module} could not be run: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    found = [_outcome(case) for case in ElementTree.parse(report).iter("testcase")]
    return [item for item in found if item.name.partition("[")[0] in wanted]


def _outcome(case: ElementTree.Element) -> Outcome:
    ends = {"failure": "failed", "error": "failed", "skipped": "skipped"}
    for child in case:
        if child.tag in ends:
            return Outcome(case.get("name", ""), ends[child.tag], " ".join((child.get("message") or "").split())[:160])
    return Outcome(case.get("name", ""), "passed", "")
