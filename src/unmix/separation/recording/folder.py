"""A separation as files: sources, mixing matrix, numbers and model."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from unmix.io.readers.wave import wave_bytes
from unmix.io.text.formula import guard

OUTPUT_FILES = re.compile(r"source-\d+\.wav|sources\.csv")  # what a run may clear away of an earlier one


def write_folder(tree: dict[str, Any], model: Any, signals: Any, sources: np.ndarray, folder: Path) -> list[Path]:
    """Write all of it into `folder`, and return the paths; `tree["files"]` is what the page lists."""
    written = write_waves(tree, sources, folder) if signals.audio else [write_sources(tree, signals, sources, folder)]
    written.append(write_mixing(tree, folder))
    model.save(folder / "model.unmix")
    written.append(folder / "model.unmix")
    tree["files"] = [path.name for path in written]
    numbers = folder / "separation.json"
    text = json.dumps(without_envelopes(tree), ensure_ascii=False, allow_nan=False, indent=1)
    numbers.write_text(text + "\n", "utf-8", "backslashreplace")  # names of files may hold what is no letter
    return [*written, numbers]


def write_waves(tree: dict[str, Any], sources: np.ndarray, folder: Path) -> list[Path]:
    """One file a source, each as loud as it gets."""
    written = []
    for j, values in enumerate(sources.T):
        path = folder / f"source-{j + 1}.wav"
        path.write_bytes(wave_bytes(values, tree["rate"]))
        written.append(path)
    return written


def write_sources(tree: dict[str, Any], signals: Any, sources: np.ndarray, folder: Path) -> Path:
    """One column a source, after the time if the table had one."""
    names, columns = [entry["name"] for entry in tree["sources"]], [sources]
    if signals.time is not None:
        names.insert(0, guard(signals.time[0]))
        columns.insert(0, signals.time[1][:, None])
    path = folder / "sources.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow(names)
        np.savetxt(file, np.column_stack(columns), fmt="%.9g", delimiter=",")
    return path


def write_mixing(tree: dict[str, Any], folder: Path) -> Path:
    """A line a channel, a column a source: channel = mean + Σ weight × source."""
    path = folder / "mixing.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["channel", *(entry["name"] for entry in tree["sources"])])
        for channel, weights in zip(tree["channels"], tree["mixing"]):
            writer.writerow([guard(channel["name"]), *(f"{weight:.9g}" for weight in weights)])
    return path


def without_envelopes(tree: dict[str, Any]) -> dict[str, Any]:
    """The numbers without the envelopes, which the written sources hold in full."""
    bare = {key: value for key, value in tree.items() if key not in ("sources", "channels")}
    for part in ("sources", "channels"):
        bare[part] = [{key: value for key, value in entry.items() if key != "trace"} for entry in tree[part]]
    return bare


def stale_files(directory: Path, written: list[Path]) -> list[Path]:
    """Sources an earlier run wrote here that this one does not have; nothing that run did not list."""
    try:
        listed = json.loads((directory / "separation.json").read_text("utf-8"))["files"]
        names = {name for name in listed if OUTPUT_FILES.fullmatch(name)} - {path.name for path in written}
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [directory / name for name in sorted(names)]
