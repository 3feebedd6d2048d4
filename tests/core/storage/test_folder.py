"""A folder of results is there as a whole or as it was; files of others stay."""

import os
import subprocess
import sys
import threading

import pytest

from unmix.core.storage import folder
from unmix.core.storage.folder import Results, is_foreign, replacing_folder

RESULTS = Results(r"key\.json", r"key\.json|\d+\.txt")


def write(directory, word, count=3):
    with replacing_folder(directory, RESULTS) as scratch:
        for i in range(count):
            (scratch / f"{i}.txt").write_text(word)
        (scratch / "key.json").write_text(word)


def content(directory):
    return {path.name: path.read_text() for path in directory.iterdir()}


def test_an_earlier_run_is_replaced_as_a_whole(tmp_path):
    write(tmp_path / "a" / "out", "old", 5)
    assert len(content(tmp_path / "a" / "out")) == 6
    write(tmp_path / "a" / "out", "new", 2)
    assert content(tmp_path / "a" / "out") == {"0.txt": "new", "1.txt": "new", "key.json": "new"}
    assert os.listdir(tmp_path / "a") == ["out"]
    umask = os.umask(0)
    os.umask(umask)
    assert (tmp_path / "a" / "out").stat().st_mode & 0o777 == 0o777 & ~umask


@pytest.mark.parametrize("stop", [KeyboardInterrupt, OSError, SystemExit])
def test_a_run_that_ends_early_leaves_all_as_it_was(tmp_path, stop):
    for directory in (tmp_path / "new" / "deep", tmp_path / "old"):
        if directory.name == "old":
            write(directory, "old")
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(stop), replacing_folder(directory, RESULTS) as scratch:
            (scratch / "0.txt").write_text("half")
            raise stop
        assert sorted(tmp_path.rglob("*")) == before
    assert set(content(tmp_path / "old").values()) == {"old"}


@pytest.mark.parametrize("call", [0, 1, 2])
def test_an_interrupt_between_two_names_brings_the_old_one_back(tmp_path, monkeypatch, call):
    write(tmp_path / "out", "old")
    rename, calls = os.rename, []

    def interrupted(source, target):
        calls.append(target)
        if len(calls) - 1 == call:
            raise KeyboardInterrupt
        rename(source, target)

    monkeypatch.setattr(os, "rename", interrupted)
    monkeypatch.setattr("unmix.core.storage.folder.swap", lambda one, other: False)  # of a system that cannot
    with pytest.raises(KeyboardInterrupt):
        write(tmp_path / "out", "new")
    assert os.listdir(tmp_path) == ["out"]
    assert content(tmp_path / "out") == {"0.txt": "old", "1.txt": "old", "2.txt": "old", "key.json": "old"}


def test_files_of_others_stay(tmp_path):
    write(tmp_path / "out", "old")
    (tmp_path / "out" / "notes.md").write_text("mine")
    write(tmp_path / "out", "new")
    ours = dict.fromkeys(["0.txt", "1.txt", "2.txt", "key.json"], "new")
    assert content(tmp_path / "out") == ours | {"notes.md": "mine"}


def test_the_folder_one_stands_in_stays_the_same_folder(tmp_path, monkeypatch):
    write(tmp_path / "out", "old")
    monkeypatch.chdir(tmp_path / "out")
    write(tmp_path / "out", "new")
    assert set(content(type(tmp_path)(".")).values()) == {"new"}


def test_a_link_to_a_folder_stays_a_link(tmp_path):
    write(tmp_path / "place", "old")
    (tmp_path / "link").symlink_to(tmp_path / "place")
    write(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and set(content(tmp_path / "place").values()) == {"new"}


def test_there_is_no_moment_without_results(tmp_path, monkeypatch):
    """Where the system can exchange two names: whoever kills the process leaves the old results or the new ones."""
    write(tmp_path / "out", "old")
    seen, rename = [], os.rename

    def look(source, target):
        seen.append((tmp_path / "out").is_dir())
        rename(source, target)

    monkeypatch.setattr(os, "rename", look)
    monkeypatch.setattr(folder.shutil, "rmtree", lambda path, **_: seen.append(set(content(tmp_path / "out").values())))
    write(tmp_path / "out", "new")
    if not folder.swap(tmp_path, tmp_path):  # a system or disk without it; exchanged with itself nothing changes
        pytest.skip("this system cannot exchange two names")
    assert seen == [True, {"new"}]


def test_what_killed_processes_left_half_is_removed_after_a_day(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = [f".unmix-{ended.pid}-a", f".unmix-{ended.pid}-a-old", f".unmix-{os.getpid()}-b", ".unmix-x"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "0.txt").write_text("half")
        os.utime(tmp_path / name, (0, 0))
    write(tmp_path / "out", "new")
    assert {path.name for path in tmp_path.iterdir()} == {"out", *names[1:]}


@pytest.mark.parametrize("swaps", [True, False])
def test_two_writers_never_mix(tmp_path, monkeypatch, swaps):
    if not swaps:
        monkeypatch.setattr("unmix.core.storage.folder.swap", lambda one, other: False)

    def work(word):
        for _ in range(10):
            write(tmp_path / "out", word, 4)

    writers = [threading.Thread(target=work, args=(word,)) for word in "ab"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert len(set(content(tmp_path / "out").values())) == 1 and len(content(tmp_path / "out")) == 5
    assert os.listdir(tmp_path) == ["out"]


def test_which_folders_are_foreign(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "0.txt").write_text("")
    write(tmp_path / "ours", "x")
    names = ("none", "empty", "other", "ours")
    assert [name for name in names if is_foreign(tmp_path / name, RESULTS)] == ["other"]
