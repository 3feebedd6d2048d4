"""Two runs of roles compared: the page says what survived, and its files are those of the command."""

import json
from html import escape

import polars as pl
import pytest
from click.testing import CliRunner

from tests.studio import made_access
from tests.studio.test_roles_workspace import HTML, finished
from unmix.cli.main import main

pytestmark = pytest.mark.slow_without_jit
FILES = ("roles.csv", "grants.csv", "people.csv", "change.json")
CAME, WENT = b"new,crm:read\nnew,<i>key</i>\n", b"u00,ledger:read\n"


@pytest.fixture
def pair(client, upload, workspace) -> tuple[str, str]:
    """One access list, and what became of it: somebody came, u00 lost a grant, and another list of users is known."""
    assert WENT in made_access.as_csv()
    before = upload(made_access.as_csv(), "access.csv")
    users, now = upload(made_access.users(), "users.csv"), made_access.as_csv().replace(WENT, b"") + CAME
    return finished(workspace, before, ""), finished(workspace, upload(now, "april.csv"), f"attributes={users}")


def files(client, old: str, new: str) -> dict[str, bytes]:
    answers = {name: client.get(f"/compare/{name}?old={old}&new={new}") for name in FILES}
    assert all(answer.status_code == 200 for answer in answers.values())
    return {name: answer.content for name, answer in answers.items()}


def by_command(workspace, old: str, new: str, to) -> dict[str, bytes]:
    folders = [str(workspace.run_folder(run)) for run in (old, new)]
    assert CliRunner().invoke(main, ["roles", "compare", *folders, "--out", str(to)]).exit_code == 0
    return {name: (to / name).read_bytes() for name in FILES}


def test_what_changed_is_what_the_command_says(client, workspace, pair, tmp_path):
    old, new = pair
    assert files(client, old, new) == by_command(workspace, old, new, tmp_path / "out")
    change = json.loads(client.get(f"/compare/change.json?old={old}&new={new}").text)
    assert change["joiners"] == ["new"]
    assert [(one["user"], one["permission"]) for one in change["lost"]] == [("u00", "ledger:read")]
    page = client.get(f"/compare?old={old}&new={new}", headers=HTML).text
    assert f"{len(change['same'])} of {change['roles'][0]} roles stayed the same" in page
    assert "In the access itself 2 grants came and 1 went." in page
    assert "&lt;i&gt;key&lt;/i&gt;" in page and "<i>key" not in page
    assert "<td>users.csv</td>" in page and "attributes" in page  # what was asked differently, by the name of the file
    assert f"unmix roles compare {workspace.run_folder(old)} {workspace.run_folder(new)}" in page
    assert client.get(f"/runs/{old}/review/conflicts.csv").status_code == 404  # no rule was given


@pytest.mark.long
def test_a_review_changes_what_is_compared(client, workspace, pair, tmp_path):
    """A role that was renamed is the same one; a role that was rejected is gone, and the command agrees."""
    old, _ = pair
    roles = workspace.result(workspace.get("runs", old))["roles"]
    page = client.get(f"/compare?old={old}&new={old}", headers=HTML).text
    assert f"All {len(roles)} roles stayed the same" in page and "Both are of the same access" in page
    assert "What became of it" in page and "Permissions added" not in page  # no column that nothing stands in
    table = workspace.get("runs", old)["of"]
    again = finished(workspace, table, "")
    name = {"do": "rename", "role": roles[0]["id"], "name": "Everybody else"}
    assert client.post(f"/api/runs/{again}/steps", json={"step": name}).status_code == 201
    page = client.get(f"/compare?old={old}&new={again}", headers=HTML).text
    assert f"All {len(roles)} roles stayed the same" in page and f"{escape(roles[0]['name'])} → Everybody else" in page
    reject = {"do": "reject", "role": roles[1]["id"], "revoke": False}
    assert client.post(f"/api/runs/{again}/steps", json={"step": reject}).status_code == 201
    page = client.get(f"/compare?old={old}&new={again}", headers=HTML).text
    assert f"{len(roles) - 1} of {len(roles)} roles stayed the same" in page and "after 2 steps of review" in page
    had = roles[1]["n_users"]
    assert had and f"<td>vanished</td><td>{had}\N{NO-BREAK SPACE}→\N{NO-BREAK SPACE}0</td>" in page
    found = pl.read_csv(files(client, old, again)["roles.csv"])
    assert found.filter(pl.col("what") == "vanished")["before"].to_list() == [roles[1]["name"]]
    saved = tmp_path / "now"
    saved.mkdir()
    (saved / "roles.json").write_bytes(client.get(f"/runs/{again}/review/roles.json").content)
    words = ["roles", "compare", str(workspace.run_folder(old)), str(saved), "--json"]
    assert json.loads(CliRunner().invoke(main, words).output) == json.loads(files(client, old, again)["change.json"])


def test_only_two_finished_runs_of_one_kind_are_compared(client, upload, workspace, pair):
    old, new = pair
    table = workspace.get("runs", old)["of"]
    others = {
        kind: workspace.insert("runs", of=table, query="", state="done", kind=kind) for kind in ("explore", "separate")
    }
    waiting = workspace.insert("runs", of=table, query="", state="interrupted", kind="roles")
    for pair_ in ((old, others["explore"]), (others["separate"], others["separate"]), (old, waiting)):
        for place in ("/compare", "/compare/roles.csv"):
            answer = client.get(place, params=dict(zip(("old", "new"), pair_)))
            assert answer.status_code == 422 and "can be compared" in answer.json()["error"]
    assert client.get("/compare", params={"old": old}).status_code == 404
    for name in ("secret.csv", "..%2Froles.json"):
        assert client.get(f"/compare/{name}?old={old}&new={new}").status_code == 404
