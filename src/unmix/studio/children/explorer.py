"""One run of explore, as `unmix explore` does it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from unmix.cli.terminal.console import on_cluster
from unmix.studio.children.checkpoints import going_on

Begin = Callable[[str], None]


def explore_table(
    begin: Begin,
    table: str,
    folder: str,
    checkpoints: str,
    command: str,
    settings: dict[str, Any],
    dask: str | None = None,
) -> None:
    from unmix.core.storage.folder import replacing_folder
    from unmix.exploration.explore import explore
    from unmix.exploration.findings.output import RESULTS, told_of, write_all

    with on_cluster(dask), going_on(Path(checkpoints), Path(table), settings) as n:
        if n:
            begin(f"going on from {n} finished parts")
        findings = explore(table, progress=begin, command=command, **settings)
        begin("writing the report")
        with told_of(Path(folder)), replacing_folder(Path(folder), RESULTS) as scratch:
            write_all(findings, scratch)
            labels_as_one(scratch)  # before it takes its name: a folder that is there is a finished run


def labels_as_one(folder: Path) -> None:
    """Labels that the workers of a cluster wrote in parts, as the one file that groups and comparisons read."""
    if (folder / "labels.csv").exists():
        return
    import polars as pl

    from unmix.exploration.findings.label_file import write_label_file

    parts = [pl.read_parquet(path) for path in sorted((folder / "labels").rglob("*.parquet"))]
    with (folder / "labels.csv").open("wb") as file:
        write_label_file(pl.concat(parts).sort("row"), file)
