"""An interrupted selection resumed: the same answer bit for bit, without repeating what was finished."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from sklearn.cluster import KMeans

import unmix
from unmix.datasets import blobs
from unmix.validation import BIC, Score, Separation, Stability, select

X = blobs(90, 2, 3, random_state=0)[0]
CRITERIA = [Separation(n_references=4), Stability(n_resamples=4), BIC()]

program = """
import os, signal, sys
from sklearn.cluster import KMeans
import unmix
from unmix.datasets import blobs
from unmix.validation import BIC, Stability, select

class Counted(KMeans):
    def fit(self, X, y=None, sample_weight=None):
        with open(sys.argv[1], "a") as log:
            log.write(".")
        if os.path.getsize(sys.argv[1]) == int(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y, sample_weight)

X = blobs(90, 2, 3, random_state=0)[0]
criteria = [Stability(n_resamples=6), BIC()]
with unmix.execution(threads=int(sys.argv[4])):
    found = select(Counted(n_init=1), X, [1, 2, 3, 4], criteria, random_state=5, cache=sys.argv[2])
print(repr((found.table, found.verdict, found.best_params)))
print(found.details)
"""


class Counted(KMeans):
    fits = 0

    def fit(self, X, y=None, sample_weight=None):
        Counted.fits += 1
        return super().fit(X, y, sample_weight)


def run(log, cache, stop=-1, threads=1):
    command = [sys.executable, "-c", program, str(log), str(cache), str(stop), str(threads)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_killed_and_resumed_is_as_if_never_interrupted(tmp_path):
    whole = run(tmp_path / "whole", tmp_path / "other")
    assert whole.returncode == 0, whole.stderr
    total = (tmp_path / "whole").stat().st_size
    killed = run(tmp_path / "log", tmp_path / "cache", total - 8, threads=2)
    assert killed.returncode == -signal.SIGKILL and not killed.stdout
    (tmp_path / "log").unlink()
    resumed = run(tmp_path / "log", tmp_path / "cache")
    assert resumed.stdout == whole.stdout and resumed.returncode == 0
    # The four models of the grid are fitted again, what was left, and the two pairs under way when the process died.
    assert (tmp_path / "log").stat().st_size <= 4 + 8 + 4 < total == 4 + 3 * 12


def counted(cache, seed=5, data=X, criteria=CRITERIA, **settings):
    Counted.fits = 0
    with unmix.execution(threads=2):
        found = select(Counted(n_init=1, **settings), data, [1, 2, 3], criteria, random_state=seed, cache=cache)
    return repr((found.table, found.verdict, str(found.details))), Counted.fits


@pytest.mark.slow_without_jit
def test_finished_work_is_not_repeated_and_only_for_the_same_question(tmp_path):
    plain, n_plain = counted(None)
    first, n_first = counted(tmp_path)
    again, n_again = counted(tmp_path)
    assert plain == first == again and n_plain == n_first > n_again == 3
    assert counted(tmp_path, seed=6)[1] > 3
    assert counted(tmp_path, data=X + 1)[1] > 3
    assert counted(tmp_path, max_iter=50)[1] > 3
    assert counted(tmp_path, criteria=[Separation(n_references=5)])[1] > 3


class Stop:
    """An observer that loses patience."""

    def __init__(self, after):
        self.left = after

    def __call__(self, record):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_an_interrupt_keeps_what_was_finished(tmp_path):
    criteria = Stability(n_resamples=5)
    whole, n_whole = counted(None, criteria=criteria)
    with unmix.execution(observe=Stop(7), threads=1), pytest.raises(KeyboardInterrupt):
        select(Counted(n_init=1), X, [1, 2, 3], criteria, random_state=5, cache=tmp_path)
    resumed, n_resumed = counted(tmp_path, criteria=criteria)
    assert resumed == whole and n_resumed == n_whole - 4 * 2  # four pairs of halves


def damage(path: Path, how: str) -> None:
    if how == "empty":
        path.write_bytes(b"")
    elif how == "pickle":
        path.write_bytes(b"cos\nsystem\n(S'false'\ntR.")
    elif how == "foreign":
        other = next(p for p in path.parent.iterdir() if p != path)
        path.write_bytes(other.read_bytes())
    else:
        from unmix.core.storage.archive import read_archive, write_archive

        document, arrays = read_archive(path)
        text = json.dumps(document["value"])
        changed = text.replace('"array": 0', '"array": 99') if how == "index" else text.replace("0x1.", "0x1.8", 1)
        write_archive(path, {**document, "value": json.loads(changed)}, arrays)


@pytest.mark.parametrize("how", ["empty", "pickle", "foreign", "value", "index"])
def test_what_others_left_in_the_folder_is_not_believed(tmp_path, how):
    criteria = Stability(n_resamples=3)
    expected = counted(tmp_path, criteria=criteria)[0]
    evaluation = next(tmp_path.rglob("evaluation.zip"))
    damage(evaluation, how)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.warns(RuntimeWarning, match=r"is not used .* computed again"):
        assert counted(tmp_path, criteria=criteria) == (expected, 3)
    assert counted(tmp_path, criteria=criteria) == (expected, 3)  # and written anew


@dataclass(frozen=True)
class Odd:
    """A criterion whose details nobody can store."""

    name: str = "odd"
    higher_is_better: bool = True

    def evaluate_grid(self, estimators, X, rng):
        from unmix.validation import Evaluation

        return Evaluation([Score(1.0)] * len(estimators), 0, lambda: "details")

    def evaluate(self, estimator, X, rng):
        return Score(1.0)


def test_details_that_cannot_be_stored_are_made_again(tmp_path):
    for _ in range(2):
        found = select(KMeans(n_init=1), X, [1, 2], Odd(), random_state=0, cache=tmp_path)
        assert found.details["odd"]() == "details"


def test_caches_that_cannot_work_are_refused(tmp_path):
    with pytest.raises(ValueError, match="give random_state"):
        select(KMeans(), X, [1, 2], BIC(), cache=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="is a file"):
        select(KMeans(), X, [1, 2], BIC(), random_state=0, cache=tmp_path / "file")
    with pytest.raises(ValueError, match="cannot be written to"):
        select(KMeans(), X, [1, 2], BIC(), random_state=0, cache=tmp_path / "file" / "below")

    class Plain:
        name, higher_is_better = "plain", True

        def evaluate(self, estimator, X, rng):
            return Score(0.0)

    with pytest.raises(TypeError, match="leave cache out"):
        select(KMeans(), X, [1, 2], Plain(), random_state=0, cache=tmp_path)
    assert os.listdir(tmp_path) == ["file"]


def test_a_full_disk_costs_the_cache_not_the_answer(tmp_path, monkeypatch):
    expected = select(KMeans(n_init=1), X, [1, 2], BIC(), random_state=0)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("unmix.validation.fits.cache.write_archive", full)
    with pytest.warns(RuntimeWarning, match="No space left"):
        found = select(KMeans(n_init=1), X, [1, 2], BIC(), random_state=0, cache=tmp_path)
    assert str(found.table) == str(expected.table)


def about(spread):
    """References that have one code, and differ in what they close over."""

    def reference(table):
        return lambda rng: table.mean(axis=0) + spread * rng.standard_normal(table.shape)

    return reference


def test_another_reference_is_another_question(tmp_path):
    found = []
    for spread in (0.1, 30.0):
        criterion = Separation(n_references=3, reference=about(spread))
        kept = select(KMeans(n_init=2), X, range(1, 4), criterion, random_state=0, cache=tmp_path)
        fresh = select(KMeans(n_init=2), X, range(1, 4), criterion, random_state=0)
        assert repr(kept.table) == repr(fresh.table)
        found.append(repr(kept.table))
    assert found[0] != found[1]


def test_what_cannot_be_told_apart_is_not_cached(tmp_path):
    class Anything:
        def __call__(self, table):
            return about(1.0)(table)

    criterion = Separation(n_references=3, reference=Anything())
    with pytest.raises(TypeError, match=r"^cache: .*Anything.*leave cache out"):
        select(KMeans(n_init=2), X, range(1, 4), criterion, random_state=0, cache=tmp_path)
