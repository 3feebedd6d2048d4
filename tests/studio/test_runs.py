"""Runs: the numbers of the command and of Python, one at a time, cancelled for real, and safe from a sudden end."""

import json
import os
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

import unmix
from tests.studio.conftest import two_groups
from tests.studio.held import Hold
from tests.studio.server import Server, wait_for
from unmix.cli.main import main
from unmix.studio.pages.run import FILES
from unmix.studio.runs.memory import BASE_BYTES, lacking

SETTINGS = "drop=name&seed=3&max_k=4"


def start(client, table: str, query: str = "") -> str:
    answer = client.post("/api/runs", json={"table": table, "query": query})
    assert answer.status_code == 201, answer.text
    return answer.json()["run"]


def ended(client, workspace, run: str) -> dict:
    return wait_for(lambda: (found := workspace.get("runs", run))["state"] not in ("queued", "running") and found)


def same_numbers(text: str) -> dict:
    """Findings without the moment they were made, which alone may differ, and the word that made them."""
    return {name: value for name, value in json.loads(text).items() if name not in ("created", "command")}


@pytest.mark.slow_without_jit
def test_a_run_gives_the_numbers_of_python_and_of_the_command(client, upload, workspace, tmp_path, monkeypatch):
    run = start(client, upload(), SETTINGS)
    assert ended(client, workspace, run)["state"] == "done"
    by_studio = client.get(f"/runs/{run}/files/findings.json")
    assert "attachment" in by_studio.headers["content-disposition"]
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_bytes(two_groups())
    command = json.loads(by_studio.text)["command"]
    assert command == "unmix explore table.csv --seed 3 --drop name --max-k 4"
    assert CliRunner().invoke(main, [*command.split()[1:], "--out", "by-command"]).exit_code == 0
    findings = unmix.explore("table.csv", seed=3, drop=["name"], max_k=4)
    by_command = Path("by-command/findings.json").read_text()
    assert same_numbers(by_studio.text) == same_numbers(by_command) == same_numbers(json.dumps(findings.to_dict()))
    labels = client.get(f"/runs/{run}/files/labels.csv").content
    assert labels == Path("by-command/labels.csv").read_bytes()
    page = client.get(f"/runs/{run}", headers={"accept": "text/html"}).text
    embedded = page.partition('id="findings">')[2].partition("</script>")[0]
    assert same_numbers(embedded) == same_numbers(by_studio.text)  # what the report would embed, and draws from
    groups_of(client, run, labels)
    compared(client, run)


def groups_of(client, run: str, labels: bytes) -> None:
    """Of the same run, as one is enough: a cluster and chosen rows become groups, are renamed, merged and written."""
    made = client.post(f"/api/runs/{run}/groups", json={"name": "all of 0", "note": "=1+1", "cluster": 0}).json()[
        "group"
    ]
    rows = client.post(f"/api/runs/{run}/groups", json={"name": "=SUM(A1)", "rows": [5, 3, 3, 10**9, -1, "x"]})
    text = client.get(f"/runs/{run}/groups/{made}.csv").text
    frame = pl.read_csv(text.encode())
    own = pl.read_csv(labels).filter(pl.col("cluster") == 0)["row"]
    assert frame["row"].to_list() == own.to_list()
    assert frame.columns == ["row", "group", "height", "width", "kind", "name"]
    table = pl.read_csv(two_groups())
    assert frame["height"].to_list() == table["height"].gather(own - 1).to_list()
    lines = client.get(f"/runs/{run}/groups/{rows.json()['group']}.csv").text.splitlines()
    assert [line[:12] for line in lines[1:]] == ["3,'=SUM(A1),", "5,'=SUM(A1),"]  # no spreadsheet runs it
    assert lines[1].endswith(",'=1+1")
    key = rows.json()["group"]
    assert client.patch(f"/api/groups/{key}", json={"name": "<b>mine</b>", "note": "n"}).status_code == 200
    page = client.get(f"/runs/{run}", headers={"accept": "text/html"}).text
    assert "&lt;b&gt;mine&lt;/b&gt;" in page and "<b>mine" not in page
    merged = client.post(f"/api/runs/{run}/merge", json={"groups": [made, key]}).json()["group"]
    text = client.get(f"/runs/{run}/groups/{merged}.csv").text
    assert pl.read_csv(text.encode())["row"].to_list() == sorted({*own.to_list(), 3, 5})
    for wrong in (
        {"name": "", "rows": [1]},
        {"name": "x", "rows": []},
        {"name": 3, "rows": [1]},
        {"name": "x" * 200, "rows": [1]},
    ):
        assert client.post(f"/api/runs/{run}/groups", json=wrong).status_code == 422
    assert client.delete(f"/api/groups/{merged}").status_code == 200
    assert client.get(f"/runs/{run}/groups/{merged}.csv").status_code == 404


def compared(client, run: str) -> None:
    """A run compared with itself: nothing changed, and every row stayed where it was."""
    text = client.get(f"/compare?old={run}&new={run}", headers={"accept": "text/html"}).text
    assert "The verdict survived" in text and "agree to 1.00" in text


def test_one_run_at_a_time_and_any_of_them_is_cancelled(client, upload, workspace, tmp_path, monkeypatch):
    hold = Hold(tmp_path / "hold")
    monkeypatch.setenv("PYTHONPATH", hold.path)
    hold.before_opening("table.csv")
    table = upload()
    first, second, third = (start(client, table, f"seed={i}") for i in range(3))
    hold.reached()
    assert [workspace.get("runs", run)["state"] for run in (first, second, third)] == ["running", "queued", "queued"]
    queue = client.app.state.queue
    assert [queue.state(run)["before"] for run in (second, third)] == [1, 2]
    pid = queue.child.process.pid
    for run in (third, second, first):
        assert client.post(f"/api/runs/{run}/cancel").status_code == 200
        assert workspace.get("runs", run)["state"] == "cancelled"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert list((workspace.folder / "runs").iterdir()) == []
    for wrong in ("cancel", "again"):
        assert client.post(f"/api/runs/{'0' * 12}/{wrong}").status_code == 404
    assert client.delete(f"/api/tables/{table}").status_code == 200
    assert workspace.select("runs") == workspace.select("tables") == list((workspace.folder / "tables").iterdir()) == []


def test_a_table_that_cannot_be_explored_fails_with_its_sentence(client, upload, workspace):
    run = start(client, upload(b"a,b\n1,2\n1,2\n1,2\n"))
    assert "Every column is constant" in ended(client, workspace, run)["error"]
    page = client.get(f"/runs/{run}", headers={"accept": "text/html"}).text
    assert "could not be finished" in page and "Every column is constant" in page and "Run again" in page


def test_a_run_without_room_is_not_started(client, upload, workspace, monkeypatch):
    assert lacking(10**6, 8 * 10**9) is None
    assert "are free" in lacking(10**9, 8 * 10**9)
    monkeypatch.setattr("unmix.studio.runs.queue.free_bytes", lambda: BASE_BYTES)
    run = start(client, upload())
    found = ended(client, workspace, run)
    assert found["state"] == "failed" and "may need" in found["error"]


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_a_server_that_is_killed_loses_nothing_that_was_finished(tmp_path):
    (tmp_path / "table.csv").write_bytes(two_groups(2000))  # long enough that parts of it are worth keeping
    hold, checkpoints = Hold(tmp_path / "hold"), tmp_path / "studio" / "checkpoints"
    server = Server(tmp_path / "studio", str(tmp_path / "table.csv"), path=hold.path).enter()
    folder = next((tmp_path / "studio" / "tables").iterdir())

    def started(query: str) -> str:
        return server.api("POST", "/api/runs", {"table": folder.name, "query": query})["run"]

    done = started("seed=1")
    server.finish(done)
    hold.before_naming(".zip", 2)  # something is kept to go on from, and the next is not
    going, waiting = started("seed=1&k=2"), started("seed=1")
    hold.reached()
    assert [server.state(run)["state"] for run in (going, waiting)] == ["running", "queued"]
    kept = list((checkpoints / going).rglob("*.zip"))
    assert len(kept) == 1
    children = own_children(server.process.pid)
    server.kill()
    wait_for(lambda: not any(map(alive, children)))  # none goes on without its server
    hold.release()
    server = Server(tmp_path / "studio").enter()
    try:
        assert [server.state(run)["state"] for run in (done, going, waiting)] == ["done", "interrupted", "interrupted"]
        assert list((checkpoints / going).rglob("*.zip")) == kept
        for run in (going, waiting):
            server.api("POST", f"/api/runs/{run}/again", {})
            server.finish(run)
        assert files_of(server, waiting) == files_of(server, done)
        whole = started("seed=1&k=2")
        server.finish(whole)
        assert files_of(server, going) == files_of(server, whole)  # as if nobody had killed it
    finally:
        server.stop()


def files_of(server: Server, run: str) -> dict[str, bytes]:
    """Every file of a run, to the byte, without the moment at which it was made."""
    found = {name: server.raw("GET", f"/runs/{run}/files/{name}")[1] for name in FILES}
    created = json.loads(found["findings.json"])["created"]
    shown = f"{created[:10]} {created[11:16]} UTC"  # in the head of the report
    return {name: text.replace(created.encode(), b"").replace(shown.encode(), b"") for name, text in found.items()}


def own_children(pid: int) -> list[int]:
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


def alive(pid: int) -> bool:
    try:
        return "zombie" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_many_runs_many_watchers_and_an_upload_beyond_the_limit(tmp_path):
    """50 runs wait, 20 watch the first one, 2 GB are refused before they are sent, and the server stays as small."""
    (tmp_path / "table.csv").write_bytes(two_groups())
    hold = Hold(tmp_path / "hold")
    hold.before_opening("table.csv")
    server = Server(tmp_path / "studio", str(tmp_path / "table.csv"), path=hold.path).enter()
    try:
        table = next((tmp_path / "studio" / "tables").iterdir()).name
        before = resident(server.process.pid)
        runs = [server.api("POST", "/api/runs", {"table": table, "query": f"seed={i}"})["run"] for i in range(50)]
        hold.reached()
        watchers = [server.watch(runs[0]) for _ in range(20)]
        assert all(b'"state": "running"' in watcher.readline() for watcher in watchers)
        assert server.state(runs[-1])["before"] == 49
        answer, _ = server.raw("POST", "/api/tables?name=big.csv", None, **{"Content-Length": str(2 * 10**9)})
        assert answer.status == 413
        for run in runs[::-1]:
            server.api("POST", f"/api/runs/{run}/cancel", {})
        for watcher in watchers:
            assert b'"state": "cancelled"' in watcher.read().splitlines()[-2]
        assert resident(server.process.pid) < before + 30_000
    finally:
        server.stop()


def resident(pid: int) -> int:
    """Kilobytes."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])
