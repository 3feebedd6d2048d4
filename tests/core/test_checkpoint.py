"""A loop that is cut off goes on where it was, and files that are not ours are refused."""

import zipfile
from typing import NamedTuple

import numpy as np
import pytest

from unmix.core.archive import read_archive, replacing, write_archive
from unmix.core.checkpoint import Checkpoint, Stage, decode, encode, fingerprint
from unmix.core.loop import Run, iterate, running
from unmix.core.trace import Record, Trace
from unmix.io.dispatch import as_blocks


class Counter(NamedTuple):
    iteration: int
    done: bool
    value: float
    history: np.ndarray


def advance(state):
    value = 0.5 * state.value + 1
    new = Counter(state.iteration + 1, state.iteration + 1 == 20, value, np.append(state.history, value))
    return new, {"value": value}


START = Counter(0, False, 0.1, np.empty(0))


def two_stages(path, fail_at=None):
    calls = []

    def step(state):
        calls.append(state.iteration)
        if fail_at is not None and len(calls) == fail_at:
            raise KeyboardInterrupt
        return advance(state)

    run = Run(Trace(), Checkpoint(path, {"estimator": "Counter"}, seconds=0))
    with running(run):
        first = iterate(step, START, max_iter=100, name="first")
        second = iterate(step, first._replace(iteration=0, done=False), max_iter=5, name="second")
    return second, len(calls), run.trace.rows()


@pytest.mark.parametrize("fail_at", [3, 20, 21, 23])
def test_resumed_run_equals_uninterrupted(tmp_path, fail_at, monkeypatch):
    # the state type lives in a test module, which the loader would refuse
    monkeypatch.setattr("unmix.core.checkpoint._named_tuple", lambda name: Record if "Record" in name else Counter)
    whole, n_calls, trace = two_stages(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        two_stages(tmp_path / "cut", fail_at)
    resumed, n_more, resumed_trace = two_stages(tmp_path / "cut")
    assert resumed.value == whole.value and np.array_equal(resumed.history, whole.history)
    assert n_more == n_calls - (fail_at - 1)
    assert resumed_trace == trace
    assert list(tmp_path.iterdir()) == []  # finished runs clean up


def test_other_fit_is_refused(tmp_path):
    Checkpoint(tmp_path / "c", {"data": "one", "seed": 1}, 0).save(0, Stage((), True, []))
    with pytest.raises(ValueError, match=r"another fit \(different data\)"):
        Checkpoint(tmp_path / "c", {"data": "two", "seed": 1}, 0)


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04broken"])
def test_foreign_file_is_refused(tmp_path, content):
    (tmp_path / "c").write_bytes(content)
    with pytest.raises(ValueError, match="not a checkpoint"):
        Checkpoint(tmp_path / "c", {}, 0)


@pytest.mark.parametrize("name", ["os:system", "unmix.core.trace:Trace", "builtins:tuple", "unmix.core.trace:Record.x"])
def test_only_states_of_unmix_are_rebuilt(name):
    with pytest.raises(ValueError, match="no state of unmix"):
        decode({"tuple": [], "type": name}, [])


def test_state_survives_to_the_bit():
    record = Record("s", 1, 2, {})
    value = (1, True, None, "x", 0.1, float("inf"), [np.float32(0.1)], {"a": (np.arange(3), 2.5)}, record)
    arrays: list = []
    back = decode(encode(value, arrays), arrays)
    assert back[:6] == value[:6] and back[6][0] == value[6][0] and back[6][0].dtype == np.float32
    assert np.array_equal(back[7]["a"][0], np.arange(3)) and back[8] == value[8]


def test_fingerprint_sees_every_entry_and_every_weight(tmp_path):
    X = np.random.default_rng(0).random((3000, 4))
    weights = np.ones(3000)
    before = fingerprint(as_blocks(X), weights)
    np.save(tmp_path / "x.npy", X)
    assert fingerprint(as_blocks(tmp_path / "x.npy"), weights) == before
    changed, heavier = X.copy(), weights.copy()
    changed[2999, 3] += 1e-12
    heavier[5] = 2
    assert len({before, fingerprint(as_blocks(changed), weights), fingerprint(as_blocks(X), heavier)}) == 3


def test_archive_notices_change(tmp_path):
    write_archive(tmp_path / "a", {"x": 1}, [np.arange(3)])
    document, (array,) = read_archive(tmp_path / "a")
    assert document["x"] == 1 and array.tolist() == [0, 1, 2]
    write_archive(tmp_path / "b", {"x": 1}, [np.arange(4)])
    with zipfile.ZipFile(tmp_path / "c", "w") as mixed:
        mixed.writestr("document.json", zipfile.ZipFile(tmp_path / "a").read("document.json"))
        mixed.writestr("0.npy", zipfile.ZipFile(tmp_path / "b").read("0.npy"))
    with pytest.raises(ValueError, match="changed after"):
        read_archive(tmp_path / "c")


def test_a_failed_write_leaves_the_old_file(tmp_path):
    (tmp_path / "f").write_text("old")
    with pytest.raises(RuntimeError), replacing(tmp_path / "f") as file:
        file.write(b"half")
        raise RuntimeError
    assert (tmp_path / "f").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_observer_stops_the_loop():
    seen = []
    run = Run(Trace(lambda record: seen.append(record.iteration), lambda record: record.iteration == 4))
    with running(run):
        state = iterate(advance, START, max_iter=100, name="count")
        later = iterate(advance, START, max_iter=100, name="again")
    assert state.iteration == 4 and later.iteration == 1 and seen == [1, 2, 3, 4, 1]
