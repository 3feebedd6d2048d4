"""The process of a run says how it ended, also where nobody thought of it."""

import pytest

from unmix.io.base.errors import TableError
from unmix.studio.children import worker


class Told:
    """The server's end of a pipe, which asks for one run and keeps what is said of it."""

    said: list[dict]

    def __init__(self) -> None:
        Told.said = []

    def hear(self) -> dict:
        return {"kind": "explore"}

    def end_with_server(self) -> None:
        pass

    def say(self, **words) -> None:
        Told.said.append(words)


ENDS = [
    (TableError("No rows."), "No rows."),
    (MemoryError(), "does not fit into memory"),
    (KeyError("height"), "an error of unmix itself"),
    (OSError(5, "Input/output error"), "Input/output error"),
]


@pytest.mark.parametrize("error, words", ENDS, ids=lambda value: type(value).__name__)
def test_an_error_is_told_in_one_sentence(error, words, monkeypatch, capsys):
    def fail(begin):
        raise error

    monkeypatch.setattr(worker, "Pipe", Told)
    monkeypatch.setitem(worker.WORK, "explore", fail)
    worker.main()
    assert Told.said[-1]["state"] == "failed" and words in Told.said[-1]["error"]
    assert "\n" not in Told.said[-1]["error"]
    expected = not isinstance(error, TableError | MemoryError)
    assert ("Traceback" in capsys.readouterr().err) == expected  # for whoever can mend it
