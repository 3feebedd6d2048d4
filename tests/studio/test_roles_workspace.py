"""The roles workspace over the wire: the numbers of the command, steps with who took them, files, and refusals."""

import json
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from tests.report.seen import Seen
from tests.studio import made_access
from unmix.cli.main import main
from unmix.studio.children.commands import mine_roles
from unmix.studio.runs.question import question
from unmix.studio.store.options import arguments, checked, read_options, write_options

HTML = {"accept": "text/html"}


def finished(workspace, table: str, query: str) -> str:
    """A finished run: what its process is told, done here."""
    run = workspace.insert("runs", of=table, query=query, state="running", kind="roles")
    told = question(workspace, workspace.get("runs", run), workspace.get("tables", table))
    assert told.pop("kind") == "roles"
    mine_roles(lambda words: None, **told)
    workspace.finish(run)
    return run


@pytest.fixture
def mined(client, upload, workspace) -> str:
    table, users = upload(made_access.as_csv(), "access.csv"), upload(made_access.users(), "users.csv")
    query = write_options({"attributes": [users], "forbid": ["pay:create", "pay:approve"]})
    return finished(workspace, table, query)


def test_a_run_has_the_files_of_the_command_and_a_review_keeps_every_step(
    client, workspace, mined, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("access.csv").write_bytes(made_access.as_csv())
    Path("users.csv").write_bytes(made_access.users())
    words = ["roles", "access.csv", "--attributes", "users.csv", "--forbid", "pay:create", "pay:approve", "-o", "own"]
    assert CliRunner().invoke(main, words).exit_code == 0
    for name in ("roles.csv", "assignments.csv", "exceptions.csv", "conflicts.csv", "roles.json", "report.html"):
        answer = client.get(f"/runs/{mined}/files/{name}")
        assert answer.content == Path("own", name).read_bytes(), name
        assert "attachment" in answer.headers["content-disposition"], name  # to be saved: a report has scripts
    page = client.get(f"/runs/{mined}", headers=HTML).text
    assert "<b>root" not in page and "&lt;b&gt;root" in page
    stepped(client, workspace, mined)


def stepped(client, workspace, run: str) -> None:
    """On the same run: what a step would cost, the step, the next one, the way back, and the result."""
    tree = json.loads(client.get(f"/runs/{run}/files/roles.json").text)
    first, second = (role["id"] for role in tree["roles"][:2])
    step = {"do": "merge", "roles": [first, second]}
    thought = client.post(f"/api/runs/{run}/what-if", json={"step": step}).json()
    assert workspace.select("steps") == [] and thought["roles"] == -1
    sent = {"step": step, "who": "<i>ann</i>", "note": "=one team"}
    assert client.post(f"/api/runs/{run}/steps", json=sent).json() == thought
    assert client.post(f"/api/runs/{run}/steps", json={"step": step}).status_code == 422  # the second is gone
    entry = tree["exceptions"][0]
    decided = {"do": "decide", "status": "rejected", **{name: entry[name] for name in ("user", "permission", "kind")}}
    assert client.post(f"/api/runs/{run}/steps", json={"step": decided, "who": ""}).status_code == 201
    page = client.get(f"/runs/{run}", headers=HTML).text
    assert "&lt;i&gt;ann&lt;/i&gt;" in page and "<i>ann" not in page and thought["sentence"] in page
    assert client.post(f"/api/runs/{run}/undo", json={}).json() == {"steps": 1}
    decisions = pl.read_csv(client.get(f"/runs/{run}/review/steps.csv").content)
    assert decisions.rows() == [
        (decisions["when"][0], "<i>ann</i>", "merge", f"{first} + {second}", "'=one team", thought["sentence"])
    ]
    changed = json.loads(client.get(f"/runs/{run}/review/roles.json").text)
    assert changed["counts"]["roles"] == tree["counts"]["roles"] - 1
    assert changed["counts"]["gained"] == thought["gained"] and changed["counts"]["lost"] == thought["lost"]
    assert client.get(f"/runs/{run}/review/review.zip").content[:2] == b"PK"
    why = client.get(f"/runs/{run}/why", params={"user": "u03", "permission": "<b>root</b>"}).json()["lines"]
    assert why[0].startswith("u03 has <b>root</b>")
    assert client.get(f"/runs/{run}/why", params={"user": "nobody", "permission": "x"}).status_code == 422
    (workspace.run_folder(run) / "secret.csv").write_text("only what a run writes has an address")
    for wrong in (
        "review/secret.csv",
        "review/..%2Froles.json",
        "files/secret.csv",
        "remix.csv",
        "sound/source-1.wav",
    ):
        assert client.get(f"/runs/{run}/{wrong}").status_code == 404
    for wrong in ({}, {"step": 3}, {"step": []}):
        assert client.post(f"/api/runs/{run}/steps", json=wrong).status_code == 400
    assert client.post(f"/api/runs/{run}/undo", json={}).status_code == 200
    assert client.post(f"/api/runs/{run}/undo", json={}).status_code == 409
    assert client.delete(f"/api/runs/{run}").status_code == 200 and workspace.select("steps") == []


@pytest.mark.long
def test_the_settings_page_tells_what_is_in_the_file_and_what_stands_in_the_way(client, upload):
    table, users = upload(made_access.as_csv(), "access.csv"), upload(made_access.users(), "users.csv")
    page = client.get(f"/tables/{table}/roles?attributes={users}&problem=infer", headers=HTML).text
    assert "24 users, 8 permissions" in page and "--attributes users.csv --problem infer" in Seen(page).content
    assert "Find the roles" in page and "<b>root" not in page
    page = client.get(f"/tables/{table}/roles?n_roles=0", headers=HTML).text
    assert "Not with these settings" in page and "disabled" in page
    again = upload(made_access.users(), "access.csv")
    page = client.get(f"/tables/{table}/roles?attributes={again}", headers=HTML).text
    assert "Two of the files are called access.csv" in page
    no_access = upload(b"\xff\xfe broken", "broken.parquet")
    assert "Not with these settings" in client.get(f"/tables/{no_access}/roles", headers=HTML).text


@pytest.mark.parametrize("query", [
    "nothing=1", "attributes=../../etc", "attributes=" + "0" * 11, "forbid=one", "n_roles=",
    "problem=%ff", "out=x", "force=yes", "n_roles=" + "0" * 20_000 + "2",
])  # fmt: skip
def test_settings_that_are_none_are_refused(client, upload, query):
    table = upload(made_access.as_csv(), "access.csv")
    assert client.get(f"/tables/{table}/roles?{query}", headers=HTML).status_code in (400, 422)
    answer = client.post("/api/runs", json={"table": table, "kind": "roles", "query": query})
    assert answer.status_code in (400, 422) and answer.json()["error"]


@pytest.mark.parametrize("query, words", [
    ("problem=maybe", "maybe"), ("delta=nan", "nan"), ("min_users=0", "0"), ("attributes=" + "0" * 12, "no longer"),
])  # fmt: skip
def test_a_run_that_the_command_would_refuse_does_not_wait(client, upload, workspace, query, words):
    table = upload(made_access.as_csv(), "access.csv")
    answer = client.post("/api/runs", json={"table": table, "kind": "roles", "query": query})
    assert answer.status_code == 422 and words in answer.json()["error"]
    assert workspace.select("runs") == []
    for kind in ("dig", ["roles"], None, 3):
        assert client.post("/api/runs", json={"table": table, "kind": kind}).status_code == 400


def test_settings_become_the_words_of_the_command_and_come_back():
    key = "0123456789ab"
    query = f"attributes={key}&problem=fewest&delta=0.02&forbid=-a&forbid=b+c&repair=yes"
    options = read_options("roles", query)
    words = arguments("roles", "access.csv", options, {key: "users.csv"})
    assert " ".join(words) == (
        "access.csv --attributes users.csv --problem fewest --delta 0.02 --forbid -a b c --repair"
    )
    params = checked("roles", words)
    assert (params["delta"], params["forbidden"], params["repair"]) == (0.02, (("-a", "b c"),), True)
    assert read_options("roles", write_options(options)) == options
