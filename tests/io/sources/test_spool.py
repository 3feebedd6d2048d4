"""Temporary files of rows: gone with their source, with a failure, and after a process that was killed."""

import errno
import gc
import os
import subprocess
import sys
import tempfile

import numpy as np
import pytest

from unmix.core.storage.abandoned import remove_abandoned
from unmix.io.sources.spool import ABANDONED, spool


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_the_file_goes_with_its_source(folder):
    source = spool([np.ones((3, 2)), np.zeros((1, 2))], 2, np.float64, None)
    assert len(list(folder.iterdir())) == 1 and source.read(0, 4).sum() == 6
    del source
    gc.collect()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_the_file_goes_when_the_rows_end_early(folder, error):
    def parts():
        yield np.ones((3, 2))
        raise error

    with pytest.raises(error):
        spool(parts(), 2, np.float64, None)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_full_folder_gets_one_sentence(folder, code):
    def parts():
        raise OSError(code, os.strerror(code))
        yield

    with pytest.raises(OSError, match=r"the temporary folder .* is full.*TMPDIR"):
        spool(parts(), 2, np.float64, None)
    assert list(folder.iterdir()) == []


def test_a_process_that_may_write_no_more_is_told_and_not_killed(tmp_path):
    """A limit on the size of files, in place of a full disk."""
    code = (
        "import resource, numpy as np; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "from unmix.io.sources.spool import spool\n"
        "try: spool((np.ones((1000, 5)) for _ in range(9)), 5, np.float64, None)\n"
        "except OSError as error: print(error)"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0 and "is full" in done.stdout, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_files_of_killed_processes_are_removed_after_a_day(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = [f"unmix-{ended.pid}-old.npy", f"unmix-{os.getpid()}-old.npy", f"unmix-{ended.pid}-new.npy", "unmix-x.npy"]
    for name in names:
        (tmp_path / name).write_bytes(b"")
        if "new" not in name:
            os.utime(tmp_path / name, (0, 0))
    remove_abandoned(tmp_path, ABANDONED)
    assert {path.name for path in tmp_path.iterdir()} == set(names[1:])
