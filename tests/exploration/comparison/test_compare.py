"""What changed is known here: groups are planted, then moved, added, taken away, thinned out."""

import json

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.io.base.errors import TableError

pytestmark = pytest.mark.slow_without_jit
places = np.array([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0]])


def draw(sizes=(60, 60, 60), at=places, seed=0):
    rng = np.random.default_rng(seed)
    X = np.concatenate([rng.normal(size=(n, 2)) + place for n, place in zip(sizes, at)])
    return pl.DataFrame(X, schema=["x", "y"])


@pytest.fixture(scope="module")
def old():
    return unmix.explore(draw(), max_k=5)


def changes(comparison):
    return sorted(group.state for group in comparison.groups)


def test_another_table_of_the_same_kind_is_no_change(old):
    found = unmix.compare(old, draw(seed=1))
    assert not found.changed
    assert changes(found) == ["stayed"] * 3
    assert found.p_value > 0.05
    assert "No change beyond chance" in repr(found)


def test_a_group_that_moved_says_where_and_by_how_much(old):
    found = unmix.compare(old, draw(at=places + np.array([[0, 0], [0, 0], [0, 1.5]]), seed=1))
    (group,) = [group for group in found.groups if group.state == "moved"]
    (move,) = group.moved
    assert (group.name, move.column) == ("highest y", "y")
    assert move.low < 1.5 < move.high
    assert move.effect == pytest.approx(1.5, abs=0.4)
    assert move.now - move.before == pytest.approx((move.low + move.high) / 2)
    assert not group.share_changed


def test_groups_that_appear_and_vanish(old, tmp_path):
    """One table the other way round: what appeared has vanished. Others stay, and so do their shares among the rest."""
    more = unmix.explore(draw((60, 60, 60, 40), [*places, [30, 30]], seed=1), max_k=5)
    found = unmix.compare(old, more)
    assert changes(found) == ["appeared", "stayed", "stayed", "stayed"]
    assert not any(group.share_changed for group in found.groups if group.state == "stayed")
    assert found.far == pytest.approx(40 / 220)
    back = unmix.compare(more.save(tmp_path / "more"), old.save(tmp_path / "old"))
    assert changes(back) == ["stayed", "stayed", "stayed", "vanished"]


def test_shares_that_changed(old):
    found = unmix.compare(old, draw((100, 60, 20), seed=1))
    shares = {group.name: (group.share_changed, group.share_now) for group in found.groups}
    assert shares["highest y"] == (True, pytest.approx(20 / 180))
    assert "shares changed" in found.sentence or "share changed" in found.sentence


def test_a_finer_cut_of_the_same_rows_is_no_change(old):
    finer = unmix.explore(draw(seed=1), k=4)
    found = unmix.compare(old, finer)
    assert not found.changed
    assert "finer or coarser cut" in found.notes[0]


def test_columns_are_matched_by_name_and_what_is_missing_is_said(old, tmp_path):
    found = unmix.compare(old, draw(seed=1).select("y", "x"))
    assert not found.changed
    alone = unmix.compare(old, unmix.explore(draw(seed=1).select("y").with_columns(z=pl.col("y") * 0), k=2))
    unmix.explore(draw(seed=1), drop=["x"], k=2).save(tmp_path / "new")
    dropped = unmix.compare(old, tmp_path / "new")  # the table has values there, but they were not asked for
    for comparison in (alone, dropped):
        assert comparison.notes[0] == "Column 'x' was used before but not now, and was not compared."
    with pytest.raises(TableError, match="none of the columns"):
        unmix.compare(old, unmix.explore(draw(seed=1).rename({"x": "a", "y": "b"}), k=2))


def test_a_folder_of_tables_is_a_table(old, tmp_path):
    folder = tmp_path / "new.parquet"
    folder.mkdir()
    draw(seed=1).write_parquet(folder / "part.parquet")
    assert not unmix.compare(old, folder).changed


def test_a_comparison_is_plain_json_and_safe_in_a_notebook(old):
    found = unmix.compare(old, draw(seed=1))
    found.groups[0].name = "<script>"
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["k_old"] == 3
    assert "<script>" not in found._repr_html_()
