"""A loop that is cut off goes on where it was, and files that are not ours are refused."""

import errno
import hashlib
import json
import os
import zipfile
from typing import NamedTuple

import numpy as np
import pytest

from unmix.core.iteration.checkpoint import Checkpoint, Stage, alike, decode, encode, fingerprint
from unmix.core.iteration.loop import Run, iterate, running
from unmix.core.iteration.trace import Record, Trace
from unmix.costs.mass_constrained import Clusters
from unmix.inference.prototypes.deterministic_annealing import State
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
    monkeypatch.setattr(
        "unmix.core.iteration.checkpoint._named_tuple", lambda name: Record if "Record" in name else Counter
    )
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


@pytest.mark.parametrize(
    "name", ["os:system", "unmix.core.iteration.trace:Trace", "builtins:tuple", "unmix.core.iteration.trace:Record.x"]
)
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


def written(path):
    """A checkpoint of one stage that is not finished, its members by name."""
    state = Record("count", 3, 100, {"value": 0.5})
    Checkpoint(path, {"estimator": "Counter"}, 0).save(0, Stage(state, False, [state]))
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def craft(path, change):
    """The file as somebody would write it who knows the format."""
    members = written(path)
    document = json.loads(members["document.json"])
    change(document)
    deep = '{"list": [' * 5000 + "]}" * 5000  # deeper than json would write
    members["document.json"] = json.dumps(document).replace('"NESTED"', deep).encode()
    members["digest"] = hashlib.sha256(members["document.json"]).hexdigest().encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


CRAFTED = {
    "no list of stages": lambda d: d.update(stages=7),
    "a stage that is a number": lambda d: d.update(stages=[7]),
    "a stage without records": lambda d: d["stages"][0]["tuple"].pop(),
    "records that are none": lambda d: d["stages"][0]["tuple"].__setitem__(2, {"list": [1]}),
    "a field too many": lambda d: d["stages"][0]["tuple"][0]["tuple"].append(1),
    "a module that is not there": lambda d: d["stages"][0]["tuple"][0].update(type="unmix.nowhere:State"),
    "a type that is a number": lambda d: d["stages"][0]["tuple"][0].update(type=7),
    "a number beyond all": lambda d: d["stages"][0]["tuple"].__setitem__(0, {"float": "0x1p99999"}),
    "an array that is not there": lambda d: d["stages"][0]["tuple"].__setitem__(0, {"array": 5}),
    "an identity that is a list": lambda d: d.update(identity=[1]),
    "values nested without end": lambda d: d.update(stages=["NESTED"]),
    "another schema": lambda d: d.update(schema=99),
    "no document": lambda d: d.clear(),
}


@pytest.mark.parametrize("case", CRAFTED)
def test_a_crafted_checkpoint_is_refused_in_one_sentence(case, tmp_path):
    craft(tmp_path / "c", CRAFTED[case])
    with pytest.raises(ValueError, match=r"c is not a checkpoint that can be resumed \(.+\); remove it to start anew$"):
        Checkpoint(tmp_path / "c", {"estimator": "Counter"}, 0)


def test_a_damaged_document_is_refused(tmp_path):
    members = written(tmp_path / "c")
    with zipfile.ZipFile(tmp_path / "c", "w") as archive:
        for name, data in members.items():
            archive.writestr(
                name, data.replace(b'"unmix.core.iteration.trace:Record"', b'"unmix.core.iteration.trace:Recorc"')
            )
    with pytest.raises(ValueError, match="changed after it was written"):
        Checkpoint(tmp_path / "c", {"estimator": "Counter"}, 0)


@pytest.mark.parametrize(
    "state",
    [
        Record("count", 3, 100, {}),
        START._replace(history=np.empty((0, 3))),
        START._replace(history=np.empty(0, int)),
        START._replace(history=2.0),
        START._replace(value="much"),
        (0, False, 0.1),
    ],
)
def test_a_state_of_another_loop_is_not_gone_on_from(state, tmp_path):
    checkpoint = Checkpoint(tmp_path / "c", {}, 0)
    checkpoint.stages = [Stage(state, False, [])]
    with pytest.raises(ValueError, match="stage 1 in it is no state of this fit"), running(Run(Trace(), checkpoint)):
        iterate(advance, START, max_iter=5, name="count")


class Fixed(NamedTuple):
    fixed_shapes = True

    centers: np.ndarray


class Grown(NamedTuple):
    centers: np.ndarray
    masses: np.ndarray

    def consistent(self):
        return len(self.centers) == len(self.masses)


def test_a_state_keeps_its_lengths_or_its_parts_belong_together_where_it_says_so():
    start = Fixed(np.zeros((3, 2)))
    assert alike(Fixed(np.ones((3, 2))), start)
    assert not alike(Fixed(np.ones((2, 2))), start)  # kernels trust the number of centres
    start = Grown(np.zeros((1, 2)), np.zeros(1))
    assert alike(Grown(np.ones((4, 2)), np.ones(4)), start)
    assert not alike(Grown(np.ones((4, 2)), np.ones(3)), start)
    assert not alike(Grown(np.ones((4, 3)), np.ones(4)), start)


def test_splits_of_an_annealing_lead_to_the_clusters_there_are():
    def state(names, splits):
        k = len(names)
        clusters = Clusters(np.zeros((k, 2)), np.ones(k))
        return State(1, False, 1.0, clusters, np.array(names), np.zeros((k, 2)), np.ones(k), np.ones((1, 6)), splits)

    splits = np.array([[2.0, 2.0, 0, 1, 2], [1.0, 1.0, 2, 3, 4]])
    start = state([0], np.empty((0, 5)))
    assert alike(state([1, 3, 4], splits), start)
    assert not alike(state([1, 2, 4], splits), start)  # cluster 2 was taken apart
    assert not alike(state([1, 3, 4], splits[::-1]), start)
    assert not alike(state([1, 3, 4], splits[:, :4]), start)


def test_a_full_disk_is_told_and_costs_neither_the_fit_nor_the_last_checkpoint(tmp_path, monkeypatch):
    written(tmp_path / "c")
    before = (tmp_path / "c").read_bytes()

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("unmix.core.storage.archive.os.fsync", full)
    checkpoint = Checkpoint(tmp_path / "c", {"estimator": "Counter"}, 0)
    with pytest.warns(RuntimeWarning, match=r"c could not be written \(No space left on device\).*the fit goes on"):
        checkpoint.save(0, checkpoint.stages[0])
    assert (tmp_path / "c").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_observer_stops_the_loop():
    seen = []
    run = Run(Trace(lambda record: seen.append(record.iteration), lambda record: record.iteration == 4))
    with running(run):
        state = iterate(advance, START, max_iter=100, name="count")
        later = iterate(advance, START, max_iter=100, name="again")
    assert state.iteration == 4 and later.iteration == 1 and seen == [1, 2, 3, 4, 1]
