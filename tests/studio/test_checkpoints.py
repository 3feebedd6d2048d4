"""A run that was cut off goes on from what it had finished, and gives the bits of one that was not."""

import json
from pathlib import Path

import pytest

import unmix
from tests.studio.conftest import two_groups
from tests.studio.test_runs import same_numbers
from unmix.studio.children import checkpoints
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
