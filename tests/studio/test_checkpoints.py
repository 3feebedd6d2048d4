"""A run that was cut off goes on from what it had finished, and gives the bits of one that was not."""

import json
import shutil
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

import unmix
from tests.studio.conftest import two_groups
from tests.studio.test_runs import same_numbers
from unmix.io.base.errors import TableError
from unmix.studio.children import checkpoints
from unmix.studio.children.commands import separate_signals
from unmix.studio.children.explorer import explore_table


def run(say, settings: dict) -> dict:
    command = "unmix explore table.csv"
    explore_table(say, "table.csv", "run", "kept", command, settings)
    return same_numbers(Path("run/findings.json").read_text())


def cut_off(words: str) -> None:
    if words == "measuring kinds of structure":
        raise KeyboardInterrupt


@pytest.mark.slow_without_jit
def test_a_run_goes_on_from_its_finished_parts_to_the_same_bits(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "LEAST_SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_bytes(two_groups())
    settings, said = {"seed": 1, "max_k": 3}, []
    with pytest.raises(KeyboardInterrupt):
        run(cut_off, settings)
    assert not Path("run").exists()
    kept = {path: path.stat().st_mtime_ns for path in Path("kept").rglob("*.zip")}
    stages = {path.name.split("-")[1] for path in kept}
    assert {"consensus", "stability", "parts", "resamples"} <= stages  # criteria, parts of the table, rows
    resumed = run(said.append, settings)
    assert said[0] == f"going on from {len(kept)} finished parts"
    assert all(path.stat().st_mtime_ns == before for path, before in kept.items())  # taken, not made again
    whole = unmix.explore("table.csv", seed=1, max_k=3, command="unmix explore table.csv")
    assert resumed == same_numbers(json.dumps(whole.to_dict()))


@pytest.mark.slow_without_jit
@pytest.mark.long
def test_damaged_parts_are_made_again(tmp_path, monkeypatch):
    """And a folder that cannot be one costs nothing but what it would have kept."""
    monkeypatch.setattr(checkpoints, "LEAST_SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_bytes(two_groups())
    settings = {"seed": 1, "max_k": 3}
    whole = run(lambda words: None, settings)
    for i, part in enumerate(sorted(Path("kept").rglob("*.zip"))):
        data = part.read_bytes()
        part.write_bytes((b"", data[: len(data) // 2], b"no archive", data[:-9] + b"x" + data[-8:])[i % 4])
    with pytest.warns(RuntimeWarning, match="computed again"):
        assert run(lambda words: None, settings) == whole
    shutil.rmtree("kept")
    Path("kept").write_text("a file")
    with pytest.warns(RuntimeWarning, match="is not kept in kept"):
        assert run(lambda words: None, settings) == whole


def test_a_table_that_is_gone_is_told_by_its_reader(tmp_path):
    with pytest.warns(RuntimeWarning, match="not kept"), pytest.raises(TableError, match=r"gone\.csv"):
        explore_table(lambda words: None, str(tmp_path / "gone.csv"), "run", str(tmp_path / "kept"), "", {})


def test_parts_of_other_versions_are_not_taken(tmp_path, monkeypatch):
    table = tmp_path / "table.csv"
    table.write_bytes(two_groups())
    folders = []
    for version in ("0.60.0", "0.61.0"):
        monkeypatch.setattr("numba.__version__", version)
        folders.append(checkpoints.finished_parts(tmp_path / "kept", table, {}).folder)
    assert folders[0] != folders[1]


def test_parts_of_another_table_or_other_settings_are_not_taken(tmp_path):
    table, folder = tmp_path / "table.csv", tmp_path / "kept"
    table.write_bytes(two_groups())

    def found(settings: dict) -> int:
        from unmix.validation.fits.cache import current_memory

        with checkpoints.going_on(folder, table, settings) as n:
            (current_memory().folder / "part.zip").touch()
        assert current_memory() is None
        return n

    assert [found({"seed": 1}), found({"seed": 1}), found({"seed": 2})] == [0, 1, 0]
    table.write_bytes(two_groups(61))
    assert found({"seed": 1}) == 0


def cut_off_search(folder: Path) -> None:
    """A separation that is stopped as it saves its search."""
    from unmix.core.iteration.checkpoint import Checkpoint

    save = Checkpoint.save

    def save_and_stop(self, index, stage):
        self._seconds = 0.0
        save(self, index, stage)
        raise KeyboardInterrupt

    with patch.object(Checkpoint, "save", save_and_stop), pytest.raises(KeyboardInterrupt):
        separated(folder)
    assert (folder / "search").is_file()


def separated(folder: Path) -> dict:
    files, out = {"signals.csv": str(Path("signals.csv").absolute())}, Path("out").absolute()
    arguments = ["signals.csv", "--seed", "1", "--rate", "10"]
    separate_signals(lambda words: None, files, str(out), str(folder), arguments)
    return json.loads((out / "separation.json").read_text())


def damaged(search: Path) -> None:
    search.write_bytes(b"no archive")


def a_folder(search: Path) -> None:
    search.unlink()
    search.mkdir()


def of_another_table(search: Path) -> None:
    mixed = np.loadtxt("signals.csv", delimiter=",", skiprows=1)
    Path("signals.csv").write_text(as_csv(mixed[::-1]))


def no_folder(search: Path) -> None:
    shutil.rmtree(search.parent)
    search.parent.write_text("a file")


def as_csv(signals: np.ndarray) -> str:
    return "a,b\n" + "\n".join(",".join(map(str, row)) for row in signals) + "\n"


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("spoil", [damaged, a_folder, of_another_table, no_folder], ids=lambda spoil: spoil.__name__)
def test_a_search_that_cannot_be_gone_on_from_begins_anew(spoil, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("signals.csv").write_text(as_csv(np.random.default_rng(0).laplace(size=(200, 2)) @ [[1, 0.5], [0.2, 1]]))
    folder = tmp_path / "kept"
    cut_off_search(folder)
    spoil(folder / "search")
    assert separated(folder) == separated(tmp_path / "fresh")
