"""Runs on a dask cluster: the numbers of a run here, and a plain refusal where nobody answers."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.studio.conftest import two_groups
from tests.studio.test_runs import same_numbers
from unmix.cli.main import main
from unmix.studio.children.explorer import explore_table


@pytest.mark.long
def test_nobody_answers(monkeypatch):
    pytest.importorskip("distributed", reason="the cluster is an extra: pip install 'unmix[dask]'")
    pytest.importorskip("uvicorn", reason="the studio is an extra: pip install 'unmix[studio]'")
    found = CliRunner().invoke(main, ["studio", "--no-browser", "--dask", "nonsense://127.0.0.1:1"])
    assert found.exit_code == 2 and "No dask scheduler answers at nonsense://127.0.0.1:1" in found.output


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_a_run_on_a_cluster_gives_the_numbers_of_a_run_here(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="the cluster is an extra: pip install 'unmix[dask]'")
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_bytes(two_groups())
    given = {"table": "table.csv", "command": "c", "settings": {"seed": 0, "k": 2}, "checkpoints": "steps"}
    explore_table(lambda words: None, folder="here", **given)
    with distributed.LocalCluster(1, processes=False, threads_per_worker=1, dashboard_address=":0") as cluster:
        explore_table(lambda words: None, folder="there", dask=cluster.scheduler_address, **given)
    here, there = (same_numbers(Path(folder, "findings.json").read_text()) for folder in ("here", "there"))
    assert Path("there/labels.csv").read_text().splitlines()[1:] == Path("here/labels.csv").read_text().splitlines()[1:]
    for tree in (here, there):
        tree["source"].pop("how", None)
    assert {name for name in here if json.dumps(here[name]) != json.dumps(there.get(name))} <= {"source"}
