import json

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.io.base.errors import TableError


def planted(sizes, gap=8.0, noise=1, seed=0):
    """Groups along `height` and `weight`, and columns of noise."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    frame = {name: groups * gap + rng.normal(size=len(groups)) for name in ("height", "weight")}
    frame |= {f"noise {j}": rng.normal(size=len(groups)) for j in range(noise)}
    frame["group"] = [f"g{g}" for g in groups]
    return pl.DataFrame(frame), groups


@pytest.fixture(scope="module")
def two():
    frame, groups = planted([60, 40])
    return unmix.explore(frame, max_k=4), groups


@pytest.mark.slow_without_jit
def test_planted_clusters_are_found_and_described_by_the_right_column(two):
    findings, groups = two
    assert findings.selection.chosen_k == 2
    assert np.array_equal(findings.labels, groups)
    assert findings.selection.verdict.startswith("2 clear clusters (9")
    assert 0 <= findings.selection.confidence <= 1
    for cluster in findings.clusters:
        assert {item.column for item in cluster.distinct} == {"height", "weight", "group"}
    assert findings.clusters[1].name == "higher height"
    assert min(cluster.stability for cluster in findings.clusters) > 0.95
    assert findings.confidence.min() > 0.9


@pytest.mark.slow_without_jit
def test_typical_rows_are_members_with_their_own_values(two):
    findings, groups = two
    frame, _ = planted([60, 40])
    for cluster in findings.clusters:
        heights = []
        for typical in cluster.typical_rows:
            assert groups[typical.row - 1] == cluster.label
            assert typical.values == pytest.approx(frame.row(typical.row - 1, named=True))
            heights.append(typical.values["height"])
        assert np.allclose(heights, 8 * cluster.label, atol=1.5)


@pytest.mark.slow_without_jit
def test_map_points_are_the_rows(two):
    findings, groups = two
    assert findings.map.n_shown == findings.map.n_total == len(groups)
    assert findings.map.label == groups.tolist()
    assert findings.map.row == list(range(1, len(groups) + 1))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", ["gaussian", "correlated", "discrete"])
def test_tables_without_clusters_get_none(shape, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3))
    if shape == "correlated":
        X = X @ [[1, 0.9, 0], [0, 0.4, 0], [0, 0, 1]]
    elif shape == "discrete":
        X = np.column_stack([X[:, 0], rng.integers(3, size=300), rng.integers(2, size=300) * 5])
    findings = unmix.explore(X, seed=seed, max_k=4)
    assert findings.selection.chosen_k == 1
    assert "No cluster structure beyond chance" in findings.selection.verdict
    assert [cluster.name for cluster in findings.clusters] == ["all rows"]
    assert set(findings.labels) == {0}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("k", [3, 5])
def test_several_clusters_in_the_plane(k):
    rng = np.random.default_rng(k)
    angle = 2 * np.pi * np.arange(k) / k
    centres = 12 * np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.repeat(centres, 50, axis=0) + rng.normal(size=(50 * k, 2))
    findings = unmix.explore(X, max_k=6)
    assert findings.selection.chosen_k == k
    assert [cluster.size for cluster in findings.clusters] == [50] * k


@pytest.mark.slow_without_jit
def test_clusters_among_many_noise_columns():
    rng = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], 80)
    centres = rng.normal(size=(3, 40)) * ([2.0] * 10 + [0.0] * 30)
    findings = unmix.explore(centres[groups] + rng.normal(size=(240, 40)), max_k=5)
    assert findings.selection.chosen_k == 3
    _, pure = np.unique(np.stack([findings.labels, groups]), axis=1, return_counts=True)
    assert sorted(pure)[-3] > 75
    assert any("components of 40 features" in caveat for caveat in findings.caveats)


@pytest.mark.slow_without_jit
def test_a_table_of_categories():
    rng = np.random.default_rng(0)
    kind = rng.integers(2, size=200)
    likely = np.where(rng.random((200, 6)) < 0.95, kind[:, None], 1 - kind[:, None])
    frame = pl.DataFrame({f"q{j}": np.array(["agree", "reject"])[likely[:, j]] for j in range(6)})
    findings = unmix.explore(frame, max_k=4)
    assert findings.selection.chosen_k == 2
    agreement = (findings.labels == kind).mean()
    assert max(agreement, 1 - agreement) > 0.97
    assert "q" in findings.clusters[0].distinct[0].column


@pytest.mark.slow_without_jit
def test_one_numeric_column():
    rng = np.random.default_rng(0)
    findings = unmix.explore(np.r_[rng.normal(size=70), rng.normal(20, 1, size=50)], max_k=4)
    assert findings.selection.chosen_k == 2
    assert len(findings.map.x) == len(findings.map.y) == 120


@pytest.mark.slow_without_jit
def test_same_seed_same_findings():
    frame, _ = planted([30, 30])
    one, two = (unmix.explore(frame, seed=3, max_k=3).to_dict() for _ in range(2))
    one.pop("created"), two.pop("created")
    assert one == two


@pytest.mark.slow_without_jit
def test_findings_are_json_without_nan_and_with_names_as_they_are():
    name = '<b>&"evil"\n\x1b[31m'
    frame, _ = planted([30, 20])
    frame = frame.rename({"height": name}).with_columns(pl.lit(None).alias("empty"), pl.lit("<i>").alias("</script>"))
    findings = unmix.explore(frame, max_k=2)
    tree = json.loads(json.dumps(findings.to_dict(), allow_nan=False))
    assert tree["columns"][0]["name"] == name
    assert any(item["column"] == name for item in tree["clusters"][0]["distinct"])
    assert name in tree["clusters"][0]["typical_rows"][0]["values"]
    assert "\x1b" not in repr(findings)


@pytest.mark.slow_without_jit
def test_rows_left_out_keep_their_place():
    frame, groups = planted([31, 29])
    gaps = frame.with_columns(pl.when(pl.int_range(60) != 7).then(pl.selectors.float()).otherwise(None).name.keep())
    findings = unmix.explore(gaps, max_k=3)
    assert findings.labels[7] == -1
    assert np.isnan(findings.confidence[7])
    assert np.array_equal(np.delete(findings.labels, 7), np.delete(groups, 7))
    assert 8 not in findings.map.row


@pytest.mark.slow_without_jit
def test_large_tables_are_sampled_and_that_is_said():
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(4000, 2)), rng.normal(size=(2000, 2)) + 15]
    findings = unmix.explore(X, max_k=4)
    assert findings.selection.chosen_k == 2
    assert len(findings.labels) == 6000
    assert findings.map.n_shown < findings.map.n_total == 6000
    assert findings.selection.n_rows_used < 6000
    assert any("drawn at random" in caveat for caveat in findings.caveats)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"max_k": 0}, "max_k is 0"), ({"max_k": 51}, "has 50 rows"), ({"max_k": 2.5}, "max_k"), ({"seed": -1}, "seed")],
)
def test_impossible_options_are_refused(options, words):
    with pytest.raises(TableError, match=words):
        unmix.explore(np.random.default_rng(0).normal(size=(50, 2)), **options)


def test_fewer_distinct_rows_than_clusters():
    findings = unmix.explore(np.repeat([[0.0, 0], [1, 5]], 30, axis=0))
    assert findings.selection.k == [1, 2]
    assert findings.to_dict()


def test_two_rows():
    assert unmix.explore({"a": [1.0, 2.5], "b": [3.0, 9.0]}).selection.chosen_k == 1


@pytest.mark.slow_without_jit
def test_confidence_is_how_often_a_row_keeps_its_cluster():
    """A row halfway between two clusters changes sides with the rows drawn, one inside never does."""
    rng = np.random.default_rng(0)
    low, high = rng.normal(0, 1, (60, 2)), rng.normal(12, 1, (60, 2))
    halfway = (low.mean(axis=0) + high.mean(axis=0))[None] / 2
    table = pl.DataFrame(np.concatenate([low, high, halfway]), schema=["a", "b"])
    findings = unmix.explore(table, max_k=4, seed=0)
    assert findings.selection.chosen_k == 2
    assert findings.confidence[:120].min() == 1.0 and 0 < findings.confidence[120] < 1


def test_the_call_that_is_told_finds_the_file_again(tmp_path):
    path = tmp_path / "some" / "rows.csv"
    path.parent.mkdir()
    np.savetxt(path, np.random.default_rng(0).normal(size=(20, 2)), delimiter=",", header="a,b", comments="")
    findings = unmix.explore(path, max_k=2)
    assert eval(findings.command).to_dict()["columns"] == findings.to_dict()["columns"]


@pytest.mark.parametrize("n", [3, 4, 5])
def test_a_handful_of_rows_with_holes_tells_nothing(n):
    table = {"a": [1, None, 3, 2, 5][:n], "b": [2, 4, 1, None, 3][:n], "c": [None, 1, 7, 4, 2][:n]}
    found = unmix.explore(table)
    assert found.spectrum.n_suggested == 0
    assert found.spectrum.sentence.startswith("Too few rows")
    assert found.selection.verdict.startswith("Too few rows")
