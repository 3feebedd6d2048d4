"""One run of explore, as `unmix explore` does it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

Begin = Callable[[str], None]


def explore_table(begin: Begin, table: str, folder: str, command: str, settings: dict[str, Any]) -> None:
    from unmix.exploration.explore import explore

    findings = explore(table, progress=begin, command=command, **settings)
    begin("writing the report")
    findings.save(Path(folder))
