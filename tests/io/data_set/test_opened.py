"""Files that are kept open: let go of at any moment, as the garbage collector does."""

import threading

import numpy as np

from unmix.io import read
from unmix.io.data_set.opened import forget, open_whole


def test_files_may_be_forgotten_while_one_is_opened(tmp_path, monkeypatch):
    """Where parsing a text makes the collector run, it forgets in the thread that holds the lock."""
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    opening = read.open_source

    def collected(path):
        forget([path])
        return opening(path)

    monkeypatch.setattr(read, "open_source", collected)
    found = []
    thread = threading.Thread(target=lambda: found.append(open_whole(path, (0, 0))), daemon=True)
    thread.start()
    thread.join(20)
    assert not thread.is_alive()
    np.testing.assert_array_equal(found[0].read(0, 2), [[1, 2], [3, 4]])
    forget([path])
