"""`unmix separate` from files to the folder: sound as sound, tables with a clock, gaps, bad input in a sentence."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.io import wavfile

import unmix
from tests.stored import stored
from unmix.cli.main import main
from unmix.separation import sir

RATE = 8000
TABLE = {"sources.csv", "mixing.csv", "separation.json", "model.unmix", "report.html"}


def run(*arguments):
    return CliRunner().invoke(main, ["separate", *(str(argument) for argument in arguments)])


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sources(n=6000, seed=0):
    """A saw, a burst of noise with rests, and a square wave: none of them Gaussian."""
    rng = np.random.default_rng(seed)
    t = np.arange(n) / RATE
    saw = 2 * (t * 110 % 1) - 1
    noise = rng.laplace(size=n) * (np.sin(2 * np.pi * 3 * t) > 0)
    return np.column_stack([saw, noise, np.sign(np.sin(2 * np.pi * 37 * t))])


def mixed(S, d=3, seed=1):
    X = S @ np.random.default_rng(seed).normal(size=(S.shape[1], d))
    return X / np.abs(X).max()


def sixteen(X):
    return np.round(32000 * X).astype(np.int16)


def write_csv(path: Path, names, columns):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([names, *(tuple(row) for row in columns)])


def tree_of(folder: Path):
    return json.loads((folder / "separation.json").read_text("utf-8"))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("method", ["fastica", "infomax", "jade"])
def test_sound_comes_apart_as_sound(here, method):
    S = sources()
    for j, channel in enumerate(sixteen(mixed(S)).T):
        wavfile.write(here / f"mic {j}.wav", RATE, channel)
    result = run("mic 0.wav", "mic 1.wav", "mic 2.wav", "-o", "out", "--method", method)
    assert result.exit_code == 0, result.output
    waves = [f"source-{j}.wav" for j in (1, 2, 3)]
    assert {path.name for path in (here / "out").iterdir()} == (TABLE - {"sources.csv"}) | set(waves)
    found = []
    for name in waves:
        rate, samples = wavfile.read(here / "out" / name)
        assert (rate, samples.dtype) == (RATE, np.int16)
        assert np.abs(samples).max() == round(0.98 * 32767)
        found.append(samples / 32768)
    assert (sir(S, np.column_stack(found)) > 20).all()
    assert "3 sources from 3 channels, 6,000 samples at 8,000 Hz (0.75 s)" in result.stdout
    assert "unmix separate 'mic 0.wav' 'mic 1.wav' 'mic 2.wav'" in tree_of(here / "out")["command"]


@pytest.mark.slow_without_jit
def test_one_wave_with_many_channels_is_the_same_as_many_waves(here):
    X = sixteen(mixed(sources()))
    wavfile.write(here / "all.wav", RATE, X)
    for j in range(3):
        wavfile.write(here / f"{j}.wav", RATE, X[:, j])
    assert run("all.wav", "-o", "a").exit_code == run("0.wav", "1.wav", "2.wav", "-o", "b").exit_code == 0
    for j in (1, 2, 3):
        assert (here / "a" / f"source-{j}.wav").read_bytes() == (here / "b" / f"source-{j}.wav").read_bytes()


@pytest.mark.slow_without_jit
def test_a_table_with_a_clock(here):
    X = mixed(sources(), d=4)
    write_csv(here / "run.csv", ["time (ms)", "a", "b", "=c", "d"], np.column_stack([np.arange(len(X)) * 4.0, X]))
    result = run("run.csv", "-o", "out", "--n-components", "3")
    assert result.exit_code == 0, result.output
    assert {path.name for path in (here / "out").iterdir()} == TABLE
    assert "Note: Column 'time (ms)' is the time and was left out; its steps say 250 Hz." in result.stdout
    tree, model = tree_of(here / "out"), unmix.load(here / "out" / "model.unmix")
    assert (tree["rate"], tree["n_channels"], tree["n_sources"]) == (250, 4, 3)
    written = np.loadtxt(here / "out" / "sources.csv", delimiter=",", skiprows=1)
    assert np.array_equal(written[:, 0], np.arange(len(X)) * 4.0)
    assert np.allclose(written[:, 1:], model.transform(X), atol=1e-6)
    lines = list(csv.reader(io.StringIO((here / "out" / "mixing.csv").read_text("utf-8"))))
    assert [line[0] for line in lines] == ["channel", "a", "b", "'=c", "d"]
    weights = np.array([line[1:] for line in lines[1:]], dtype=float)
    assert np.allclose(written[:, 1:] @ weights.T + model.mean_, X, atol=1e-5)


@pytest.mark.slow_without_jit
def test_the_command_in_the_answer_gives_the_same_answer(here):
    np.save(here / "x.npy", mixed(sources(2000)))
    assert run("x.npy", "--rate", 100, "--seed", 3, "-o", "a").exit_code == 0
    words = tree_of(here / "a")["command"].split()
    assert words[:2] == ["unmix", "separate"]
    assert run(*words[2:], "-o", "b").exit_code == 0
    for name in TABLE:
        assert (here / "a" / name).read_bytes() == (here / "b" / name).read_bytes() or name == "model.unmix"


def test_gaps_are_for_second_order(here):
    t = np.arange(3000)
    S = np.column_stack([np.sin(t / 40), np.sin(t / 7), np.sign(np.sin(t / 90))])
    X = mixed(S)
    X[10, 1] = X[700:720, 2] = np.nan
    write_csv(here / "gaps.csv", ["a", "b", "c"], np.where(np.isnan(X), "", X.astype(object)))
    result = run("gaps.csv", "-o", "out")
    assert result.exit_code == 2
    assert (
        "Column 'b' has 1 missing value, the first in row 11; fill them, or use --method second_order" in result.stderr
    )
    result = run("gaps.csv", "-o", "out", "--method", "second_order")
    assert result.exit_code == 0, result.output
    written = np.loadtxt(here / "out" / "sources.csv", delimiter=",", skiprows=1)
    assert (sir(S, written) > 20).all()
    assert tree_of(here / "out")["sources"][0]["stability"] > 0.95


@pytest.mark.slow_without_jit
def test_gaussian_sources_are_warned_of_in_words(here):
    rng = np.random.default_rng(0)
    np.save(
        here / "x.npy", np.column_stack([rng.normal(size=(4000, 2)), rng.laplace(size=4000)]) @ rng.normal(size=(3, 3))
    )
    result = run("x.npy")
    assert result.exit_code == 0, result.output
    tree = tree_of(here / "unmix-x")
    gaussian = [j + 1 for j, entry in enumerate(tree["sources"]) if abs(entry["kurtosis"]) < 0.5]
    assert len(gaussian) == 2
    sources = f"Sources {gaussian[0]} and {gaussian[1]}"
    assert f"Warning: {sources} cannot be distinguished from Gaussian noise" in result.stdout
    assert tree["warnings"][0] in (here / "unmix-x" / "report.html").read_text("utf-8")


@pytest.mark.slow_without_jit
def test_files_of_unequal_length_are_cut_and_said_so(here):
    S = sources()
    X = sixteen(mixed(S))
    for j, n in enumerate((6000, 5000, 6000)):
        wavfile.write(here / f"{j}.wav", RATE, X[:n, j])
    result = run("0.wav", "1.wav", "2.wav", "-o", "out")
    assert result.exit_code == 0, result.output
    assert "2 of 3 files are longer than 1; all were cut to its 5,000 samples." in result.stdout
    found = np.column_stack([wavfile.read(here / "out" / f"source-{j}.wav")[1] for j in (1, 2, 3)])
    assert (sir(S[:5000], found) > 20).all()


@pytest.mark.slow_without_jit
def test_fewer_sources_than_before_leave_no_old_files(here):
    wavfile.write(here / "all.wav", RATE, sixteen(mixed(sources())))
    assert run("all.wav", "-o", "out").exit_code == 0
    (here / "out" / "source-9.wav").write_bytes(b"mine")
    assert run("all.wav", "-o", "out", "--n-components", 2).exit_code == 0
    left = {path.name for path in (here / "out").glob("*.wav")}
    assert left == {"source-1.wav", "source-2.wav", "source-9.wav"}


@pytest.mark.slow_without_jit
def test_what_is_read_is_never_written_over(here):
    wavfile.write(here / "source-1.wav", RATE, sixteen(mixed(sources())))
    before = (here / "source-1.wav").read_bytes()
    result = run("source-1.wav", "-o", ".")
    assert result.exit_code == 2
    assert "would be overwritten" in result.stderr
    assert [path.name for path in here.iterdir()] == ["source-1.wav"]
    assert (here / "source-1.wav").read_bytes() == before


def bad_inputs(here: Path) -> None:
    X = mixed(sources(500))
    write_csv(here / "text.csv", ["a", "b", "who"], [(x, y, "ann") for x, y, _ in X])
    write_csv(here / "one.csv", ["t", "a"], np.column_stack([np.arange(500) / 10, X[:, 0]]))
    write_csv(here / "header.csv", ["a", "b"], [])
    write_csv(here / "row.csv", ["a", "b"], [(1.5, 2)])
    write_csv(here / "still.csv", ["a", "b"], [(1, 2)] * 20)
    write_csv(here / "hollow.csv", ["a", "b", "c"], [(x, y, "") for x, y, _ in X])
    (here / "empty.csv").write_text("")
    (here / "empty.wav").write_bytes(b"")
    (here / "false.wav").write_bytes(b"RIFFnot really")
    (here / "notes.doc").write_text("x")
    np.save(here / "inf.npy", np.where(np.arange(1500).reshape(500, 3) == 7, np.inf, X))
    np.save(here / "cube.npy", np.zeros((3, 3, 3)))
    wavfile.write(here / "slow.wav", 8000, sixteen(X[:, 0]))
    wavfile.write(here / "fast.wav", 16000, sixteen(X[:, 1]))
    wavfile.write(here / "mono.wav", 8000, sixteen(X[:, 0]))
    wavfile.write(here / "none.wav", 8000, np.zeros((0, 2), np.int16))
    np.save(here / "good.npy", X)


BAD = {
    "nowhere.csv": "There is no file",
    "nowhere.wav": "There is no file",
    "text.csv": "Column 'who' holds text ('ann'); every column must be a channel of numbers",
    "one.csv": "There is one channel; separation needs at least two",
    "header.csv": "no rows",
    "row.csv": "at least two rows",
    "still.csv": "constant",
    "hollow.csv": "Column 'c' is empty",
    "empty.csv": "is empty",
    "empty.wav": "is empty",
    "false.wav": "cannot be read as wav",
    "notes.doc": "has the extension '.doc'",
    "inf.npy": "Column 'column 2' is infinite in row 3",
    "cube.npy": "3 dimensions",
    "mono.wav": "There is one channel",
    "none.wav": "at least two rows",
    "slow.wav fast.wav": "different sample rates (slow 8,000 Hz, fast 16,000 Hz)",
    "slow.wav good.npy": "Sound and tables cannot be separated together",
    "good.npy --n-components 4": "--n-components 4 is more than the 3 channels",
    "slow.wav mono.wav --rate 44100": "The wav header says 8,000 Hz, but --rate says 44,100",
    "good.npy -o good.npy": "is a file",
}


@pytest.mark.parametrize("words", BAD)
def test_bad_input_is_one_sentence_and_exit_code_two(here, words):
    bad_inputs(here)
    before = {path.name for path in here.iterdir()}
    result = run(*words.split())
    assert result.exit_code == 2, result.output
    sentence = result.stderr.strip().splitlines()[-1]
    assert sentence.startswith("unmix: ")
    assert BAD[words] in sentence
    assert {path.name for path in here.iterdir()} == before


@pytest.mark.slow_without_jit
def test_names_do_not_reach_the_terminal_as_commands(here):
    write_csv(here / "x.csv", ["\x1b[31ma", "\x1bb", "\x1bc"], mixed(sources(2000)))
    result = run("x.csv")
    assert result.exit_code == 0, result.output
    assert "\x1b" not in result.stdout


@pytest.mark.slow_without_jit
def test_four_voices_come_apart(here, shared_data):
    """Four utterances, mixed at random: less than a hundredth of the power of a found voice is that of others."""
    recorded = stored(shared_data / "ica" / "speech_cmu_arctic.npz")
    voices = [recorded[name] for name in recorded if name != "fs"][:4]
    n = min(map(len, voices))
    S = np.column_stack([voice[:n] for voice in voices]).astype(float)
    X = mixed(S / S.std(axis=0), d=4, seed=1)
    for j, channel in enumerate(sixteen(X).T):
        wavfile.write(here / f"{j}.wav", int(recorded["fs"]), channel)
    result = run(*(f"{j}.wav" for j in range(4)), "-o", "out")
    assert result.exit_code == 0, result.output
    found = np.column_stack([wavfile.read(here / "out" / f"source-{j}.wav")[1] for j in (1, 2, 3, 4)])
    assert (sir(S, found) > 20).all()
    assert min(entry["stability"] for entry in tree_of(here / "out")["sources"]) > 0.9
    assert (here / "out" / "report.html").stat().st_size < 5e6


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("unit", [1e300, 1e-300])
def test_the_unit_of_the_table_does_not_matter(here, unit):
    X = mixed(sources(2000))
    np.save(here / "usual.npy", X)
    np.save(here / "extreme.npy", X * unit)
    usual, extreme = (run(f"{name}.npy", "-o", name) for name in ("usual", "extreme"))
    assert usual.exit_code == extreme.exit_code == 0, extreme.output
    expected, found = tree_of(here / "usual"), tree_of(here / "extreme")
    for a, b in zip(expected["sources"], found["sources"], strict=True):
        assert b["stability"] == pytest.approx(a["stability"])
        assert b["kurtosis"] == pytest.approx(a["kurtosis"])
    for a, b in zip(expected["channels"], found["channels"], strict=True):
        assert b["deviation"] / unit == pytest.approx(a["deviation"])
