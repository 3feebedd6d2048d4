"""New rows are placed as the explored ones were: the same table again gets the same groups."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.assignment.storage import read_encoding
from unmix.io.base.errors import TableError

pytestmark = pytest.mark.slow_without_jit
penguins = Path(__file__).parents[3] / "examples" / "penguins.csv"


def mixed(n=240, seed=0):
    """Numbers with gaps and a long tail, written with units, and categories; two groups."""
    rng = np.random.default_rng(seed)
    group = np.arange(n) % 2
    size = np.exp(2 * group + 0.3 * rng.normal(size=n))
    mass = 5 * group + rng.normal(size=n)
    return pl.DataFrame(
        {
            "size": [f"{value:.3f} kg" for value in size],
            "mass": [None if i % 9 == 0 else value for i, value in enumerate(mass.tolist())],
            "color": [("red", "blue")[g] if rng.random() < 0.9 else "green" for g in group],
            "ready": rng.random(n) < 0.2 + 0.6 * group,
        }
    )


@pytest.fixture(scope="module")
def explored():
    return unmix.explore(mixed(), categories="use", k=2)


@pytest.fixture(scope="module")
def folder(explored, tmp_path_factory):
    return explored.save(tmp_path_factory.mktemp("explored") / "results")


def test_the_same_table_gets_the_same_groups_and_confidence(explored, folder):
    for source in (explored, folder, folder / "model.unmix", str(folder)):
        again = unmix.assign(source, mixed())
        assert np.array_equal(again.labels, explored.labels)
        assert np.array_equal(again.confidence, explored.confidence)
        assert not again.far.any()
        assert again.notes == []


def test_rows_left_out_stay_left_out():
    findings = unmix.explore(penguins, k=3)
    again = unmix.assign(findings, penguins)
    assert np.array_equal(again.labels, findings.labels)
    assert np.array_equal(again.confidence, findings.confidence, equal_nan=True)
    assert again.frame()["name"].to_list() == [None if i < 0 else again.names[i] for i in again.labels]


def test_every_row_of_a_long_table_and_of_projected_ones():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 3, 400)
    X = rng.normal(size=(400, 12)) + 4 * rng.normal(size=(3, 12))[group]
    for options in ({"sample": 150}, {}):
        findings = unmix.explore(X, k=3, **options)
        assert np.array_equal(unmix.assign(findings, X).labels, findings.labels)


def test_batches_of_a_long_file_give_what_the_whole_gives(explored, tmp_path, monkeypatch):
    table = mixed(seed=3).with_columns(size=pl.col("mass") ** 2)
    table.write_parquet(tmp_path / "long.parquet")
    whole = unmix.assign(explored, table)
    monkeypatch.setattr("unmix.exploration.assignment.assign._most_at_once", 100)
    monkeypatch.setattr("unmix.io.long_table.BATCH_ROWS", 64)
    parts = unmix.assign(explored, tmp_path / "long.parquet")
    assert parts.frame().equals(whole.frame())
    assert len(parts.labels) == 240


def test_an_encoding_read_again_gives_the_same_bits(explored, folder):
    kept = read_encoding(folder)
    values = explored.encoding.values(mixed(seed=1), False)
    assert np.array_equal(kept.features(values), explored.encoding.features(values))
    assert kept.kept.values.equals(explored.encoding.kept.values)
    assert kept.settings == explored.settings == {"seed": 0, "k": 2, "categories": "use"}


def test_features_are_those_of_the_explored_rows(explored):
    """A row in the middle of a group, by hand: (log size - mean) / sd and so on are those the model was fitted to."""
    encoding = explored.encoding
    X = encoding.features(encoding.kept.values)
    means = np.stack([X[explored.labels == g].mean(axis=0) for g in (0, 1)])
    assert means == pytest.approx(explored.model.cluster_centers_, abs=1e-8)
    sizes = encoding.standardised(encoding.kept.values)[:, 0]  # before it is projected on the plane of the codes
    assert sizes == pytest.approx((sizes - sizes.mean()) / sizes.std())


def test_what_is_unlike_the_explored_table_is_said(explored):
    new = mixed(seed=2).with_columns(
        mass=pl.col("mass") * 1000, color=pl.lit("purple"), Ready=pl.col("ready"), extra=pl.lit(1)
    )
    found = unmix.assign(explored, new.drop("ready"))
    said = "\n".join(found.notes)
    assert "'ready', which formed the groups, is not in the table" in said
    assert "did you mean 'Ready'" in said
    assert "not in the table that was explored: 'Ready', 'extra'" in said
    assert "levels that were not seen before: 'purple' (240)" in said
    assert "column 'mass' lie far outside" in said
    assert "times as much): is it in another unit?" in said
    assert found.far.mean() > 0.8
    assert found.confidence[found.far].max() == 0
    assert "far from all that were seen" in repr(found)


def test_rows_of_the_same_kind_are_seldom_far():
    rng = np.random.default_rng(0)
    draw = lambda n: rng.normal(size=(n, 3)) + 6 * rng.integers(0, 2, n)[:, None]  # noqa: E731
    findings = unmix.explore(draw(300), k=2)
    assert unmix.assign(findings, draw(3000)).far.mean() < 0.002
    between = 3.0 + np.array([[0, 0, 12], [0, -12, 0], [30, 0, 0], [0, 0, -15], [12, -12, 0]])
    assert unmix.assign(findings, between).far.all()


def test_a_gap_between_narrow_groups_is_far_too():
    rng = np.random.default_rng(0)
    findings = unmix.explore(np.r_[rng.normal(0, 0.01, 60), rng.normal(1, 0.01, 60)][:, None], k=2)
    assert unmix.assign(findings, np.array([[0.0], [0.5], [1.0]])).far.tolist() == [False, True, False]


def test_what_has_no_place_on_a_scale_is_far():
    """Sizes were seen on a logarithmic scale: zero, minus and infinity have no place there, a gap is filled."""
    rng = np.random.default_rng(0)
    size = np.exp(np.r_[rng.normal(0, 1, 100), rng.normal(6, 1, 100)])
    findings = unmix.explore({"size": size, "y": rng.normal(size=200)}, k=2)
    found = unmix.assign(findings, {"size": [1.0, 0.0, -5.0, np.inf, None], "y": [0.0] * 5})
    assert found.far.tolist() == [False, True, True, True, False]


def test_a_column_that_is_not_there_is_filled_from_the_others():
    """x and y are nearly the same, so that y alone tells the groups."""
    rng = np.random.default_rng(0)
    x = np.r_[rng.normal(0, 1, 80), rng.normal(20, 1, 80)]
    findings = unmix.explore({"x": x, "y": x + 0.3 * rng.normal(size=160), "z": rng.normal(size=160)}, k=2)
    found = unmix.assign(findings, {"y": [0.0, 20.0], "z": [0.0, 0.0]})
    assert found.labels.tolist() == findings.labels[[0, -1]].tolist()


def test_what_cannot_be_used_is_refused_in_words(explored, folder, tmp_path):
    with pytest.raises(TableError, match="None of the columns that formed the groups"):
        unmix.assign(explored, {"other": [1.0, 2.0]})
    with pytest.raises(TableError, match="There is no"):
        unmix.assign(tmp_path / "nowhere", mixed())
    with pytest.raises(TableError, match=r"holds no encoding\.unmix"):
        unmix.assign(tmp_path, mixed())
    with pytest.raises(TableError, match="A int was given"):
        unmix.assign(3, mixed())
    with pytest.raises(TableError, match="no column 'name'"):
        unmix.assign(explored, mixed(), id="name")
    for name in ("encoding.unmix", "model.unmix"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "encoding.unmix").write_bytes(b"nothing of ours")
    with pytest.raises(TableError, match="cannot be read"):
        unmix.assign(tmp_path, mixed())


def test_labels_with_the_columns_of_the_table(explored, tmp_path):
    table = mixed(20).with_columns(name=pl.lit("x"), cluster=pl.lit(7))
    written = pl.read_csv(unmix.assign(explored, table).save(tmp_path / "labels.csv", with_columns=True))
    assert written.columns[:5] == ["row", "cluster", "name", "confidence", "far"]
    assert written["cluster (input)"].to_list() == [7] * 20
    assert written["size"].to_list() == table["size"].to_list()


def test_it_shows_itself_in_a_notebook(explored):
    hostile = unmix.assign(explored, mixed(20))
    hostile.names = ["<script>", "b"]
    assert "<script>" not in hostile._repr_html_()
    assert "&lt;script&gt;" in hostile._repr_html_()
