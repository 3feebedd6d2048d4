"""Planted trees are found with the evidence at each split, one cloud does not split, and every row has its way."""

import json
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score

import unmix
from unmix.exploration.findings.tree_text import tree_lines
from unmix.exploration.levels.look_inside import corrected
from unmix.validation.selection.probability import Answer, Evidence

pytestmark = pytest.mark.slow_without_jit


def planted(rng):
    """Two groups far apart; the first holds two groups that only its third column tells, the second none."""
    group = np.repeat([0, 1, 2], [90, 90, 160])
    X = rng.normal(size=(340, 3))
    X[:, 0] += 14 * (group == 2)
    X[:, 1] += 14 * (group == 2)
    X[:, 2] += 5 * (group == 1) + 2.5 * (group == 2)
    return dict(zip(["length", "width", "depth"], X.T)), group


def pairs(rng):
    group = np.repeat(np.arange(4), 70)
    X = rng.normal(size=(280, 2)) + np.array([[0, 0], [6, 0], [40, 0], [40, 6]])[group] @ [[1, 0.9], [-0.9, 1]]
    return {"length": X[:, 0], "width": X[:, 1]}, group


def leaves(levels):
    return [leaf for level in levels for leaf in (leaves(level.children) if level.children else [level])]


@pytest.fixture(scope="module")
def tree():
    table, group = planted(np.random.default_rng(0))
    return unmix.explore(table, max_k=4), group


def test_every_row_gets_its_planted_leaf(tree):
    findings, group = tree
    assert adjusted_rand_score(group, findings.paths if findings.paths is not None else findings.labels) > 0.95


def test_sizes_of_parts_add_up(tree):
    findings, _ = tree
    assert sum(level.size for level in findings.levels) == 340
    assert sum(leaf.size for leaf in leaves(findings.levels)) == 340
    for level in findings.levels:
        assert not level.children or sum(child.size for child in level.children) == level.size
        assert all(child.path.startswith(f"{level.path}.") for child in level.children)


def test_two_pairs_of_clusters_are_shown_as_a_tree(tmp_path):
    table, group = pairs(np.random.default_rng(1))
    findings = unmix.explore(table, max_k=6)
    assert [len(level.children) for level in findings.levels] == [2, 2]
    assert adjusted_rand_score(group // 2, [way.split(".")[0] for way in findings.paths]) == 1.0
    assert adjusted_rand_score(group, findings.paths) > 0.98
    assert "Clusters inside clusters" in repr(findings) and len(tree_lines(findings.levels)) == 6
    findings.save(tmp_path)
    saved = pl.read_csv(tmp_path / "labels.csv", schema_overrides={"level": pl.String})
    assert saved["level"].to_list() == findings.paths.tolist()
    assert json.loads((tmp_path / "findings.json").read_text())["levels"][0]["children"][1]["path"] == "0.1"


def test_same_seed_same_tree():
    table, _ = pairs(np.random.default_rng(2))
    first, second = (unmix.explore(table, max_k=4, seed=3) for _ in range(2))
    assert first.levels == second.levels and (first.paths == second.paths).all()


@pytest.mark.parametrize("seed", range(3))
def test_round_groups_do_not_split_again_and_labels_have_no_level(seed, tmp_path):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 3)) + np.repeat([[0, 0, 0], [7, 0, 7]], 100, axis=0)
    findings = unmix.explore(X, max_k=4)
    assert [(level.path, level.children) for level in findings.levels] == [("0", []), ("1", [])]
    assert {level.sentence for level in findings.levels} == {"no further clusters beyond chance"}
    assert findings.paths is None and "Clusters inside clusters" not in repr(findings)
    findings.save(tmp_path)
    assert "level" not in pl.read_csv(tmp_path / "labels.csv").columns


def test_where_there_are_no_clusters_there_is_no_tree():
    assert unmix.explore(np.random.default_rng(0).normal(size=(100, 2)), max_k=3).levels == []


def test_more_looks_need_stronger_evidence():
    parts = tuple(Answer(2, (2,)) for _ in range(10))
    seen = SimpleNamespace(selection=SimpleNamespace(probability=0.99), evidence=Evidence(Answer(2, (2,)), 0.01, parts))
    assert corrected(seen, 1) > corrected(seen, 3) > corrected(seen, 9)


@pytest.mark.slow_without_jit
def test_a_ring_around_a_core_does_not_split_again():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 250)
    ring = 4 * np.c_[np.cos(angle), np.sin(angle)] + 0.3 * rng.normal(size=(250, 2))
    X = np.r_[ring, 0.5 * rng.normal(size=(120, 2))]
    findings = unmix.explore({"x": X[:, 0], "y": X[:, 1]})
    assert sorted(cluster.size for cluster in findings.clusters) == [120, 250]
    assert not any(level.children for level in findings.levels)
