"""Notebooks of the studio: of the form that Jupyter reads, and their code gives the numbers of the command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.studio import made_access
from tests.studio.conftest import two_groups
from tests.studio.server import SOURCE
from tests.studio.test_signals_workspace import as_table


def code_of(notebook: dict) -> str:
    return "\n".join("".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code")


def is_valid(notebook: dict) -> None:
    """By nbformat's own check where it is installed, and by what its schema 4.5 asks for."""
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    keys = [cell["id"] for cell in notebook["cells"]]
    assert len(set(keys)) == len(keys) and all(key.isalnum() and len(key) <= 64 for key in keys)
    for cell in notebook["cells"]:
        wanted = {"cell_type", "id", "metadata", "source"}
        assert set(cell) == wanted | ({"outputs", "execution_count"} if cell["cell_type"] == "code" else set())
    try:
        import nbformat
    except ImportError:
        return
    nbformat.validate(notebook)


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "kind, name, content, query, last",
    [
        ("explore", "table.csv", two_groups(), "seed=3&drop=name&k=2", "assert findings.selection.chosen_k == 2"),
        ("roles", "access.csv", made_access.as_csv(), "objective=wsc", "assert found.verify()"),
        ("separate", "sensors.csv", as_table(), "method=jade", "assert sources.shape == (3000, 2)"),
    ],
)
def test_a_notebook_is_valid_and_runs(client, upload, tmp_path, kind, name, content, query, last):
    table = upload(content, name)
    answer = client.get(f"/tables/{table}/{kind}.ipynb?{query}")
    assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
    assert answer.content == client.get(f"/tables/{table}/{kind}.ipynb?{query}").content
    notebook = json.loads(answer.content)
    is_valid(notebook)
    Path(tmp_path, name).write_bytes(content)
    Path(tmp_path, "cells.py").write_text(code_of(notebook) + f"\n{last}\n", encoding="utf-8")
    subprocess.run([sys.executable, "cells.py"], cwd=tmp_path, env={"PYTHONPATH": str(SOURCE)}, check=True, timeout=600)


def test_what_is_no_kind_has_no_notebook(client, upload):
    table = upload()
    assert client.get(f"/tables/{table}/pickle.ipynb").status_code == 404
    assert client.get(f"/tables/{table}/explore.ipynb?drop=%ff").status_code in (400, 422)
    assert client.get(f"/tables/{table}/roles.ipynb?n_roles=0").status_code == 422
