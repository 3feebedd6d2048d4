"""Groups that are not round: the right number, the right rows, in words; round ones stay those of K-means."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score

import unmix
import unmix.exploration.question as exploring
from unmix.cluster import KMeans

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.slow_without_jit


def moons(rng, n=300):
    side, angle = np.arange(n) % 2, rng.uniform(0, np.pi, n)
    X = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.where(side, -1, 1)[:, None] + side[:, None] * [1, 0.4]
    return X + 0.08 * rng.standard_normal(X.shape), side


def ring_with_core(rng, n=300):
    side, angle = np.arange(n) % 2, rng.uniform(0, 2 * np.pi, n)
    X = np.stack([np.cos(angle), np.sin(angle)], axis=1) * 4 * side[:, None]
    return X + rng.normal(size=(n, 2)) * np.where(side, 0.3, 0.6)[:, None], side


def long_pair(rng, n=300):
    side = np.arange(n) % 2
    X = np.stack([6 * rng.normal(size=n), 4 * side + 0.6 * rng.normal(size=n)], axis=1)
    turn = np.array([[np.cos(0.6), np.sin(0.6)], [-np.sin(0.6), np.cos(0.6)]])
    return X @ turn, side


def unequal_spreads(rng, n=300):
    group = np.arange(n) % 3
    centers = np.array([[0, 0], [3.5, 3.5], [14, 0]])
    return centers[group] + rng.normal(size=(n, 2)) * np.array([0.3, 1, 3])[group, None], group


def table(X):
    return {f"x{j}": column for j, column in enumerate(X.T)}


@pytest.mark.parametrize("shape", [moons, ring_with_core, long_pair, unequal_spreads])
def test_groups_of_other_shapes_are_found_and_said_to_be_so(shape):
    X, truth = shape(np.random.default_rng(5))
    findings = unmix.explore(table(X), max_k=6)
    assert findings.selection.chosen_k == truth.max() + 1
    assert adjusted_rand_score(truth, findings.labels) > 0.9
    assert findings.selection.verdict.split(".")[0] and "not round" in findings.selection.verdict
    assert not any("K-means assumes" in caveat for caveat in findings.caveats)
    assert np.argmax(findings.selection.probabilities) == truth.max()
    assert [cluster.size for cluster in findings.clusters] == np.bincount(findings.labels).tolist()


@pytest.mark.parametrize("shape", [moons, unequal_spreads])
def test_the_model_labels_new_rows_and_is_kept(shape, tmp_path):
    X, _ = shape(np.random.default_rng(5))
    findings = unmix.explore(table(X), max_k=4)
    findings.model.save(tmp_path / "model.unmix")
    again = unmix.load(tmp_path / "model.unmix")
    standard = (X - X.mean(axis=0)) / X.std(axis=0)
    assert adjusted_rand_score(again.predict(standard), findings.labels) > 0.98


def test_a_number_that_was_asked_for_is_kept_and_its_shape_is_followed():
    X, truth = moons(np.random.default_rng(0))
    findings = unmix.explore(table(X), k=2, max_k=4)
    assert findings.selection.verdict.startswith("2 clusters, as asked.")
    assert adjusted_rand_score(truth, findings.labels) > 0.9


def test_rows_of_a_long_table_follow_the_shape_too(monkeypatch):
    X, truth = ring_with_core(np.random.default_rng(1), 900)
    monkeypatch.setattr(exploring, "most_rows_looked_at", 450)
    findings = unmix.explore(pl.DataFrame(table(X)), max_k=4)
    assert adjusted_rand_score(truth, findings.labels) > 0.9 and np.isfinite(findings.confidence).all()


@pytest.mark.parametrize("seed", range(4))
def test_round_groups_are_those_of_k_means_to_the_last_row(seed):
    rng = np.random.default_rng(seed)
    group = np.arange(200) % 3
    X = np.array([[0, 0], [6, 0], [3, 5]])[group] + rng.normal(size=(200, 2))
    findings = unmix.explore(table(X), max_k=5)
    assert type(findings.model) is KMeans and findings.selection.chosen_k == 3
    np.testing.assert_array_equal(findings.labels, findings.model.labels_)
    assert "not round" not in findings.selection.verdict


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.uniform(size=(150, 2)),
        lambda rng: rng.standard_t(3, size=(150, 2)),
        lambda rng: rng.exponential(size=(150, 2)),
        lambda rng: (lambda x: np.stack([x, x**2 + 0.4 * rng.normal(size=150)], axis=1))(rng.normal(size=150)),
    ],
)
def test_one_cloud_of_any_shape_stays_one(draw):
    assert unmix.explore(table(draw(np.random.default_rng(3))), max_k=5).selection.chosen_k == 1


def test_penguins_are_told_apart_better_than_by_round_clusters():
    penguins = pl.read_csv(ROOT / "examples" / "penguins.csv", null_values=["NA", ""])
    findings = unmix.explore(penguins, max_k=4, k=3)
    known = findings.labels >= 0
    species, by_shape = penguins["species"].to_numpy()[known], findings.labels[known]
    X = penguins[:, 2:6].drop_nulls().to_numpy()
    round_groups = KMeans(3, random_state=0).fit((X - X.mean(axis=0)) / X.std(axis=0)).labels_
    assert adjusted_rand_score(species, by_shape) > 0.9 > adjusted_rand_score(species, round_groups) + 0.05


def test_answers_on_a_scale_with_gaps_are_one_cloud():
    """Filled cells lie in thin sheets beside the others, which are no groups."""
    rng = np.random.default_rng(10)
    common = rng.normal(size=(300, 1))
    X = np.clip(np.round(3 + 0.7 * common + rng.normal(size=(300, 5))), 1, 5)
    X[rng.random(X.shape) < 0.02] = np.nan
    assert unmix.explore(table(X), max_k=4).selection.chosen_k == 1
