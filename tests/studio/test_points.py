"""Every row on the map: where the map of the findings has it, and the others by the same affine map."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.studio.children.reader import points


def read(path: Path) -> tuple[np.ndarray, ...]:
    content = path.read_bytes()
    n = int(np.frombuffer(content, "<u4", 1)[0])
    assert len(content) == 4 + 14 * n
    x, y = (np.frombuffer(content, "<f4", n, 4 + 4 * n * j) for j in (0, 1))
    return x, y, np.frombuffer(content, "<u4", n, 4 + 8 * n), np.frombuffer(content, "<i2", n, 4 + 12 * n)


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("sample", [None, 4200])
def test_every_row_is_where_the_map_has_it(tmp_path, sample):
    rng = np.random.default_rng(0)
    table = np.r_[rng.normal(0, 1, (3000, 3)), rng.normal(6, 1, (1600, 3))] * [1, 5, 0.2]
    pl.DataFrame(table, schema=["a", "b", "c"]).write_csv(tmp_path / "table.csv")
    settings = {"seed": 0, "k": 2} | ({} if sample is None else {"sample": sample})
    findings = unmix.explore(tmp_path / "table.csv", **settings)
    findings.save(tmp_path / "run")
    n = points(str(tmp_path / "table.csv"), settings, str(tmp_path / "run"), str(tmp_path / "sounds" / "points.bin"))
    x, y, rows, labels = read(tmp_path / "sounds" / "points.bin")
    assert n == len(x) == len(table) and rows.tolist() == list(range(1, n + 1))
    shown, plane = np.array(findings.map.row) - 1, np.c_[x, y]
    np.testing.assert_allclose(plane[shown], np.c_[findings.map.x, findings.map.y], atol=6e-4)  # rounded to 3 digits
    np.testing.assert_array_equal(labels, findings.labels)
    affine = np.linalg.lstsq(np.c_[table[shown], np.ones(len(shown))], plane[shown], rcond=None)[0]
    np.testing.assert_allclose(np.c_[table, np.ones(len(table))] @ affine, plane, atol=1e-3)


def test_what_is_not_there_has_no_points(client, workspace, upload):
    run = workspace.insert("runs", of=upload(), query="", state="done")
    assert client.get(f"/runs/{run}/points").status_code == 404
    other = workspace.insert("runs", of=upload(), query="", state="done", kind="roles")
    assert client.post(f"/api/runs/{other}/points", json={}).status_code == 404
