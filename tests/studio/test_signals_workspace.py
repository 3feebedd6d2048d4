"""The signals workspace: the numbers of the command, a remix that is the model's own, sound, and refusals."""

import io
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from scipy.io import wavfile

import unmix
from tests.report.seen import Seen
from unmix.cli.main import main
from unmix.separation.recording.read_signals import read_signals
from unmix.studio.children.commands import separate_signals
from unmix.studio.runs.question import question

HTML = {"accept": "text/html"}
RATE = 4000


def mixed() -> np.ndarray:
    t = np.arange(RATE) / RATE
    sources = np.c_[np.sign(np.sin(2 * np.pi * 50 * t)), np.random.default_rng(0).laplace(size=RATE)]
    return sources @ [[0.6, 0.3], [0.2, -0.5]]


def as_wave() -> bytes:
    out, x = io.BytesIO(), mixed()
    wavfile.write(out, RATE, np.round(x / np.abs(x).max() * 32000).astype(np.int16))
    return out.getvalue()


def as_table() -> bytes:
    lines = [f"{i / RATE},{a:.6f},{b:.6f}" for i, (a, b) in enumerate(mixed()[:3000])]
    return ("time,=left,<b>right</b>\n" + "\n".join(lines) + "\n").encode()


@pytest.fixture
def separated(client, upload, workspace):
    def run(content: bytes, name: str, query: str = "") -> str:
        table = upload(content, name)
        key = workspace.insert("runs", of=table, query=query, state="running", kind="separate")
        told = question(workspace, workspace.get("runs", key), workspace.get("tables", table))
        assert told.pop("kind") == "separate"
        separate_signals(lambda words: None, **told)
        workspace.finish(key)
        return key

    return run


def test_sound_has_the_files_of_the_command_and_is_remixed_as_by_the_model(client, separated, tmp_path, monkeypatch):
    run = separated(as_wave(), "room.wav", "seed=3")
    monkeypatch.chdir(tmp_path)
    Path("room.wav").write_bytes(as_wave())
    assert CliRunner().invoke(main, ["separate", "room.wav", "--seed", "3", "-o", "own"]).exit_code == 0
    names = ("source-1.wav", "source-2.wav", "mixing.csv", "separation.json", "report.html")
    for name in names:
        assert client.get(f"/runs/{run}/files/{name}").content == Path("own", name).read_bytes(), name
    assert client.get(f"/runs/{run}/sound/source-2.wav").content == Path("own", "source-2.wav").read_bytes()
    page = client.get(f"/runs/{run}?keep=1", headers=HTML).text
    assert "Without source 2" in page and page.count("<audio") == 6
    signals, model = read_signals(["room.wav"]), unmix.load("own/model.unmix")
    sources = model.transform(signals.values)
    sources[:, 1] = 0
    expected = model.inverse_transform(sources)
    frame = pl.read_csv(client.get(f"/runs/{run}/remix.csv?keep=1").content)
    assert frame.columns == signals.names
    np.testing.assert_allclose(frame.to_numpy(), expected, rtol=1e-8)
    rate, heard = wavfile.read(io.BytesIO(client.get(f"/runs/{run}/sound/remix-2.wav?keep=1").content))
    wanted = expected[:, 1] - expected[:, 1].mean()
    assert rate == RATE
    np.testing.assert_allclose(heard / 32767 / 0.98, wanted / np.abs(wanted).max(), atol=1e-4)
    part = client.get(f"/runs/{run}/sound/channel-1.wav", headers={"range": "bytes=0-3"})
    assert (part.status_code, part.content) == (206, b"RIFF")  # a player asks for parts
    refused(client, run)


def refused(client, run: str) -> None:
    for wrong in (
        "source-0.wav",
        "source-3.wav",
        "channel-3.wav",
        "remix-9.wav",
        "other-1.wav",
        "model.unmix",
        "..%2Findex.sqlite",
        "x",
    ):
        assert client.get(f"/runs/{run}/sound/{wrong}").status_code == 404, wrong
    for keep in ("0", "3", "x", "1..2", "-1", "1e1", "1.2.1", "9" * 30):
        for page in (f"/runs/{run}", f"/runs/{run}/remix.csv", f"/runs/{run}/sound/remix-1.wav"):
            answer = client.get(page, params={"keep": keep})
            assert answer.status_code == 422 and "numbers from 1 to 2" in answer.json()["error"], (page, keep)
    assert "keep at least one" in client.get(f"/runs/{run}?keep=", headers=HTML).text
    assert client.post(f"/api/runs/{run}/steps", json={"step": {}}).status_code == 404


def test_a_table_of_channels_keeps_its_time_and_its_names_stay_text(client, separated, workspace):
    run = separated(as_table(), "sensors.csv")
    page = client.get(f"/runs/{run}", headers=HTML).text
    assert "<b>right" not in page and "&lt;b&gt;right" in page and "<audio" not in page
    assert client.get(f"/runs/{run}/sound/source-1.wav").status_code == 404
    text = client.get(f"/runs/{run}/remix.csv").text
    assert text.splitlines()[0] == "time,'=left,<b>right</b>"
    everything = np.loadtxt(text.splitlines()[1:], delimiter=",")
    np.testing.assert_allclose(
        everything[:, 1:], mixed()[:3000], atol=1e-6
    )  # with all sources the remix is what was recorded
    assert json.loads(client.get(f"/runs/{run}/files/separation.json").text)["n_sources"] == 2
    assert workspace.get("runs", run)["verdict"] == "2 sources from 2 channels."


@pytest.mark.long
def test_the_settings_page_shows_channels_and_takes_other_files_along(client, upload):
    first, second = upload(as_wave(), "one.wav"), upload(as_wave(), "two.wav")
    page = client.get(f"/tables/{first}/signals?more={second}&method=jade", headers=HTML).text
    assert (
        "4 channels of 4,000 samples" in page and "unmix separate one.wav two.wav --method jade" in Seen(page).content
    )
    assert page.count('class="trace"') == 4 and "JADE(None)" in page
    page = client.get(
        f"/tables/{upload(b'a,b' + chr(10).encode() + b'x,y' + chr(10).encode())}/signals", headers=HTML
    ).text
    assert "Not with these settings" in page and "disabled" in page
    assert client.get(f"/tables/{first}/signals?rate=fast", headers=HTML).status_code == 200
    assert client.post("/api/runs", json={"table": first, "kind": "separate", "query": "rate=fast"}).status_code == 422
