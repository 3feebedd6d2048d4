"""Ranks by hidden entries: models that tell entries by `predict`, and tables of which most is unknown."""

import numpy as np
import pytest
from scipy.sparse import coo_array
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from unmix.decomposition import NMF, PCA, CollaborativeFilter, RobustPCA, TruncatedSVD
from unmix.density import KernelDensity
from unmix.embedding import LocallyLinearEmbedding
from unmix.validation import AIC, CrossValidation, select
from unmix.validation.evidence.held_out.folds import entry_folds
from unmix.validation.evidence.held_out.held_out_entries import missing_errors

pytestmark = pytest.mark.slow_without_jit


def ratings(rank, seed, n=150, d=40, known=0.5, noise=0.4):
    """Offsets of users and items, ``rank`` concepts, noise; and what is known of it."""
    rng = np.random.default_rng(seed)
    offsets = 3 + 0.5 * rng.normal(size=(n, 1)) + 0.5 * rng.normal(size=d)
    table = offsets + rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) + noise * rng.normal(size=(n, d))
    return np.where(rng.random(table.shape) < known, table, np.nan)


@pytest.mark.parametrize("rank", range(1, 7))
def test_the_number_of_concepts_is_told_by_held_out_ratings(rank):
    found = select(CollaborativeFilter(), ratings(rank, rank), {"n_components": range(8)}, random_state=0)
    assert found.best_params == {"n_components": rank}
    assert isinstance(found.best_estimator, CollaborativeFilter)


@pytest.mark.parametrize("method", ["als", "svd"])
@pytest.mark.parametrize("seed", range(3))
def test_no_concepts_are_said_to_be_none(method, seed):
    table = ratings(0, seed)
    found = select(CollaborativeFilter(method=method), table, range(4), random_state=0)
    assert found.best_params == {"n_components": 0}
    assert "nothing beyond the offsets of rows and columns" in found.verdict
    without = select(CollaborativeFilter(method=method), table, range(1, 4), random_state=0)
    assert "no structure" in without.verdict


def test_stored_entries_of_a_sparse_table_are_the_known_ones():
    table = np.round(ratings(1, 0))
    table[table == 2] = 0  # a rating like any other
    rows, columns = np.nonzero(~np.isnan(table))
    sparse = coo_array((table[rows, columns], (rows, columns)), shape=table.shape).tocsr()
    model = CollaborativeFilter()
    dense, stored = (select(model, X, range(3), random_state=0) for X in (table, sparse))
    assert [row["value"] for row in dense.table] == [row["value"] for row in stored.table]


def test_hidden_ratings_are_told_from_the_others():
    table = ratings(2, 1)
    hidden = entry_folds(table, 5, np.random.default_rng(0))[0]
    seen = np.where(hidden, np.nan, table)
    model = CollaborativeFilter(2, random_state=7).fit(seen)
    expected = (table - model.predict(seen))[hidden] ** 2
    np.testing.assert_allclose(missing_errors(CollaborativeFilter(2), table, hidden, 7), expected, rtol=1e-12)


def test_a_column_keeps_an_entry_in_every_fold():
    table = np.full((30, 6), np.nan)
    table[4, 0] = 1.0  # the only one
    table[[3, 9], 1] = 1.0
    table[:, 2:] = 1.0
    masks = entry_folds(table, 3, np.random.default_rng(0))
    for mask in masks:
        assert (~np.isnan(table) & ~mask).any(axis=0).all()
    assert not any(mask[:, 0].any() for mask in masks)
    assert (sum(mask[:, 2:].astype(int) for mask in masks) == 1).all()


@pytest.mark.long
@pytest.mark.parametrize("rank", [1, 3])
def test_ranks_of_other_models_with_gaps_by_the_same_criterion(rank):
    rng = np.random.default_rng(rank)
    table = rng.normal(size=(150, rank)) @ rng.normal(size=(rank, 30)) + 0.5 * rng.normal(size=(150, 30))
    table[rng.random(table.shape) < 0.4] = np.nan
    assert select(PCA(missing="ignore"), table, range(6), random_state=0).best_params == {"n_components": rank}
    parts = rng.gamma(1.0, size=(100, rank)) @ rng.gamma(1.0, size=(rank, 25)) * rng.uniform(0.9, 1.1, (100, 25))
    amounts = np.where(rng.random(parts.shape) < 0.8, parts, np.nan)
    model = NMF(max_iter=1000, tol=1e-3, missing="ignore")
    assert select(model, amounts, range(1, 5), random_state=0).best_params == {"n_components": rank}


def test_entries_are_hidden_from_models_that_refuse_gaps_unless_asked():
    """Hidden entries are cells that were not observed, whatever the model makes of NaN in the user's table."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(80, 1)) @ rng.normal(size=(1, 6)) + 0.3 * rng.normal(size=(80, 6))
    scores = [
        select(model, table, {f"{step}n_components": [1, 2]}, CrossValidation("entries", n_splits=2), random_state=0)
        for step, model in (
            ("", PCA()),
            ("", PCA(missing="ignore")),
            ("pca__", make_pipeline(StandardScaler(), PCA())),
            ("pca__", make_pipeline(StandardScaler(), PCA(missing="ignore"))),
        )
    ]
    found = [[score.value for score in each.evaluations[CrossValidation.name].scores] for each in scores]
    assert found[0] == found[1] and found[2] == found[3]
    table[0, 0] = np.nan
    with pytest.raises(ValueError, match='missing="ignore"'):
        select(PCA(), table, [1, 2], random_state=0)


def test_robust_components_take_the_penalty_that_tells_hidden_entries_best():
    rng = np.random.default_rng(0)
    table = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 30))
    table[rng.random(table.shape) < 0.05] += 20
    table[rng.random(table.shape) < 0.1] = np.nan
    usual = 1 / np.sqrt(60)
    found = select(RobustPCA(missing="ignore"), table, {"penalty": [usual / 50, usual]}, random_state=0)
    assert found.best_params == {"penalty": usual}


def test_decompositions_are_judged_by_entries_unless_told_otherwise():
    rng = np.random.default_rng(0)
    table = 3 * rng.normal(size=(120, 2)) @ rng.normal(size=(2, 20)) + rng.normal(size=(120, 20))
    found = select(TruncatedSVD(), table, range(1, 5), random_state=0)
    assert found.best_params == {"n_components": 2}
    assert set(found.choices) == {CrossValidation.name}
    assert set(select(PCA(), table, [1, 2], AIC()).choices) == {"AIC"}


def test_densities_are_judged_by_held_out_rows_and_embeddings_by_nothing():
    X = np.random.default_rng(0).normal(size=(80, 2))
    found = select(KernelDensity("likelihood"), X, {"bandwidth": [0.01, 0.5]}, random_state=0)
    assert found.best_params == {"bandwidth": 0.5}
    with pytest.raises(TypeError, match="neither labels rows nor predicts their entries"):
        select(LocallyLinearEmbedding(), X, [1, 2], random_state=0)
