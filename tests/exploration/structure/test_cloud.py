"""Tables with categories: columns that one factor relates are one cloud, and groups planted in them are more."""

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import adjusted_rand_score

import unmix
from unmix.exploration.columns.encode import Indicators
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.structure.chance import BEYOND_CLOUD
from unmix.exploration.structure.cloud import chance_of, coded, fit_cloud


def drawn(shares, rng):
    edges = np.cumsum(shares, axis=1)
    return (edges < rng.random((len(edges), 1)) * edges[:, -1:]).sum(axis=1)


def as_frame(numbers, levels):
    columns = {f"x{j}": values for j, values in enumerate(numbers)}
    return pl.DataFrame(columns | {f"c{j}": np.array(list("abcd"))[values] for j, values in enumerate(levels)})


def one_factor(n, n_numbers, n_levels, seed, strength=1.5):
    """Numbers and categories that go with one normal factor; with none where `strength` is 0."""
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(n, 1))
    numbers = [strength * factor[:, 0] / 2 + rng.normal(size=n) for _ in range(n_numbers)]
    levels = [drawn(np.exp(strength * factor * rng.normal(size=3)), rng) for _ in range(n_levels)]
    return as_frame(numbers, levels)


def classes(n, n_numbers, n_levels, k, seed):
    """Latent classes: numbers with other means, categories with other shares, unrelated within a class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    numbers = [(2.0 * rng.permutation(k))[y] + rng.normal(size=n) for _ in range(n_numbers)]
    preferred = [rng.permutation(max(k, 3))[:k] % 3 for _ in range(n_levels)]
    return as_frame(numbers, [drawn((0.15 + 0.7 * np.eye(3)[places])[y], rng) for places in preferred]), y


def chance(frame):
    prepared = prepare(frame, 0, "use")
    rows = np.arange(len(prepared.X))
    return chance_of(fit_cloud(prepared, rows, 0), prepared.X, 0)


@pytest.mark.parametrize(("n_numbers", "n_levels"), [(3, 3), (1, 5), (0, 7)])
@pytest.mark.parametrize("strength", [0.0, 1.5])
def test_factors_alone_are_one_cloud(n_numbers, n_levels, strength):
    for seed in range(3):
        assert chance(one_factor(400, n_numbers, n_levels, seed, strength)) > BEYOND_CLOUD


@pytest.mark.parametrize(("n_numbers", "n_levels"), [(3, 3), (2, 6), (0, 8)])
@pytest.mark.parametrize("k", [2, 3])
def test_latent_classes_are_more(n_numbers, n_levels, k):
    assert chance(classes(400, n_numbers, n_levels, k, seed=k)[0]) < BEYOND_CLOUD


def test_explore_finds_the_classes_of_a_mixed_table():
    frame, y = classes(300, 3, 3, 3, seed=0)
    found = unmix.explore(frame, max_k=5)  # as many categories as numbers: all of them form the clusters
    assert all(column.used for column in found.columns)
    assert found.selection.chosen_k == 3
    assert adjusted_rand_score(y, found.labels) > 0.85
    alone = unmix.explore(frame, categories="describe", max_k=5)
    assert adjusted_rand_score(y, found.labels) > adjusted_rand_score(y, alone.labels)


def test_explore_finds_one_cloud_where_a_factor_is_all():
    found = unmix.explore(one_factor(400, 3, 3, seed=1), max_k=5)
    assert found.selection.chosen_k == 1
    assert "one cloud with the same relations between columns" in found.selection.verdict


def test_tables_of_a_cloud_have_its_covariances_and_shares():
    prepared = prepare(one_factor(1000, 3, 2, seed=0), 0, "use")
    cloud = fit_cloud(prepared, np.arange(1000), 0)
    table = cloud.table(100_000, np.random.default_rng(0))
    numbers = ~prepared.category
    model = cloud.components.T @ cloud.components + np.diag(cloud.noise)
    np.testing.assert_allclose(np.cov(table[:, numbers].T), model[np.ix_(numbers, numbers)], atol=0.03)
    np.testing.assert_allclose(np.cov(prepared.X[:, numbers].T), model[np.ix_(numbers, numbers)], atol=0.1)
    for start, scale in ((3, cloud.scales[3]), (6, cloud.scales[4])):
        assert isinstance(scale, Indicators)
        hits = table[:, start : start + 3] * scale.scale + scale.center
        np.testing.assert_allclose(hits.sum(axis=1), 1.0)
        np.testing.assert_allclose(hits.mean(axis=0), scale.center, atol=0.03)


def test_rows_and_their_codes_have_the_same_nearest_centre():
    prepared = prepare(classes(300, 2, 3, 3, seed=3)[0], 0, "use")
    cloud = fit_cloud(prepared, np.arange(300), 0)
    points = coded(prepared.X, cloud)
    centres = points[:5]
    nearest = [((rows[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1) for rows in (prepared.X, points)]
    np.testing.assert_array_equal(*nearest)
    np.testing.assert_allclose(coded(points, cloud), points, atol=1e-9)


def test_one_column_is_no_matter_of_factors():
    assert fit_cloud(prepare(pl.DataFrame({"a": list("abc") * 20}), 0), np.arange(60), 0) is None
