"""Cross-validation: held-out rows and entries against loops written out, and which of them turns with the rank."""

import numpy as np
import pytest
from sklearn import decomposition
from sklearn.base import clone
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import KFold, cross_val_score
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import unmix
from unmix.cluster import HistogramClustering
from unmix.datasets import blobs, gaussian
from unmix.decomposition import PCA, TruncatedSVD
from unmix.validation import ColumnMeans, CrossValidation, Stability, select
from unmix.validation.evidence.held_out import folds
from unmix.validation.evidence.held_out.held_out import held_out_scores, rebuild
from unmix.validation.evidence.held_out.held_out_entries import block_errors, codes, missing_errors


def low_rank(n=100, d=10, rank=2, seed=0, signal=2.0):
    rng = np.random.default_rng(seed)
    return signal * rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) + rng.normal(size=(n, d)) + 5


def grid(model, sizes, X):
    name = "n_components" if "n_components" in model.get_params() else "n_clusters"
    return [type(model)(**{**model.get_params(), name: size}).fit(X) for size in sizes]


def values(criterion, models, X, seed=0):
    seen = criterion.evaluate_grid(models, X, np.random.default_rng(seed))
    return np.array([score.value for score in seen.scores]), seen


def test_the_error_of_rows_never_turns_with_the_rank_but_entries_and_likelihood_do():
    """A row gives its own codes, so a larger subspace is nearer to every held-out row, noise or not."""
    X = low_rank()
    models = grid(decomposition.PCA(), range(1, 10), X)
    rows, seen = values(CrossValidation("rows", loss="error"), models, X)
    assert np.all(np.diff(rows) > 0) and seen.choice == 8
    for criterion in (CrossValidation("rows"), CrossValidation("entries"), CrossValidation("rows", rule="best")):
        scores, seen = values(criterion, models, X)
        assert seen.choice == 1
        assert scores[7] < scores[1]


def test_rows_equal_scikit_learns_cross_validation(monkeypatch):
    X = gaussian(60, 3, random_state=0)
    splits = list(KFold(4, shuffle=True, random_state=0).split(X))
    monkeypatch.setattr(folds, "row_folds", lambda n, k, rng: splits)
    order = np.lexsort(X.T)
    model = GaussianMixture(2, random_state=0)
    monkeypatch.setattr(folds, "weighted_refit", lambda model, X, seed, weight: clone(model).fit(X))
    score = CrossValidation(n_splits=4).evaluate(model, X, np.random.default_rng(0))
    shuffled = X[order][np.random.default_rng(0).permutation(60)]
    peer = cross_val_score(model, shuffled, cv=splits)
    assert score.value == pytest.approx(peer.mean())
    assert score.error == pytest.approx(peer.std(ddof=1) / 2)


def test_the_best_rank_of_a_blocks_worth_is_owen_and_perrys():
    """B D_k⁺ C for the SVD."""
    X = low_rank(40, 12)
    rows, columns = np.arange(40) < 13, np.arange(12) % 3 == 0
    A, B, C, D = (X[np.ix_(r, c)] for r in (rows, ~rows) for c in (columns, ~columns))
    U, s, V = np.linalg.svd(D, full_matrices=False)
    for k in (1, 3):
        expected = A - B @ (V[:k].T / s[:k]) @ U[:, :k].T @ C
        for model in (TruncatedSVD(k), decomposition.TruncatedSVD(k, algorithm="arpack", random_state=0)):
            assert np.allclose(block_errors(model, X, rows, columns, 0), expected**2)


def test_around_the_mean_a_block_is_a_regression_on_the_codes():
    X = low_rank(40, 12)
    rows, columns = np.arange(40) < 13, np.arange(12) % 3 == 0
    A, B, C, D = (X[np.ix_(r, c)] for r in (rows, ~rows) for c in (columns, ~columns))
    V = np.linalg.svd(D - D.mean(axis=0))[2][:2]
    slopes = np.linalg.pinv((D - D.mean(axis=0)) @ V.T) @ (C - C.mean(axis=0))
    expected = A - C.mean(axis=0) - (B - D.mean(axis=0)) @ V.T @ slopes
    assert np.allclose(block_errors(PCA(2), X, rows, columns, 0), expected**2)
    assert np.allclose(block_errors(ColumnMeans(), X, rows, columns, 0), (A - C.mean(axis=0)) ** 2)


def test_blocks_of_a_clustering_are_means_of_its_clusters():
    X, y = blobs(60, 4, 3, random_state=0)
    rows, columns = np.arange(60) % 4 == 0, np.arange(4) < 2
    C = X[np.ix_(~rows, columns)]
    means = np.stack([C[y[~rows] == c].mean(axis=0) for c in range(3)])
    for model in (KMeans(3, n_init=5), AgglomerativeClustering(3), unmix.cluster.KMeans(3)):
        expected = (X[np.ix_(rows, columns)] - means[y[rows]]) ** 2
        assert np.allclose(block_errors(model, X, rows, columns, 0), expected)


def test_hidden_entries_are_told_by_the_model_of_the_others():
    X = low_rank(50, 6)
    hidden = np.random.default_rng(0).random(X.shape) < 0.1
    model = PCA(2, missing="ignore").fit(np.where(hidden, np.nan, X))
    expected = (X - model.inverse_transform(model.transform(np.where(hidden, np.nan, X))))[hidden] ** 2
    assert np.allclose(missing_errors(PCA(2), X, hidden, 0), expected)
    means = np.nanmean(np.where(hidden, np.nan, X), axis=0)
    assert np.allclose(missing_errors(ColumnMeans(), X, hidden, 0), ((X - means) ** 2)[hidden])


@pytest.mark.parametrize("hide", ["missing", "blocks"])
def test_the_true_rank_by_entries(hide):
    X = low_rank(80, 10, 3)
    found = select(PCA(), X, range(1, 7), CrossValidation("entries", hide=hide), random_state=0)
    assert found.best_params == {"n_components": 3}
    assert found.details["cross-validation"].beats_nothing


def test_the_true_rank_of_counts_by_blocks():
    rng = np.random.default_rng(0)
    X = rng.poisson(20 * rng.dirichlet(np.full(3, 0.3), 90) @ rng.dirichlet(np.full(12, 0.3), 3) * 12).astype(float)
    model = decomposition.NMF(init="nndsvda", max_iter=2000, tol=1e-3)
    found = select(model, X, range(1, 7), CrossValidation("entries"), random_state=0)
    assert found.best_params == {"n_components": 3}


@pytest.mark.parametrize(
    "model",
    [KMeans(n_init=5), unmix.density.GaussianMixture(covariance_type="spherical"), AgglomerativeClustering()],
    ids=["kmeans", "mixture", "agglomerative"],
)
def test_the_true_number_of_clusters_by_entries(model):
    X, _ = blobs(120, 6, 4, random_state=3)
    found = select(model, X, range(2, 7), CrossValidation("entries", n_splits=4), random_state=0)
    assert list(found.best_params.values()) == [4]


@pytest.mark.parametrize("what", ["rows", "entries"])
def test_nothing_is_a_candidate(what):
    X = gaussian(100, 6, random_state=0)
    _, seen = values(CrossValidation(what, hide="blocks"), grid(PCA(), range(1, 4), X), X)
    assert seen.choice == 0 and not seen.details.beats_nothing
    one = select(KMeans(n_init=3), X, range(1, 4), CrossValidation("entries"), random_state=0)
    assert one.best_params == {"n_clusters": 1}
    assert one.details["cross-validation"].nothing.value == pytest.approx(one.table[0]["value"])
    zero = CrossValidation(what, hide="blocks").evaluate_grid(
        [ColumnMeans().fit(X), PCA(1).fit(X), PCA(2).fit(X)], X, np.random.default_rng(0)
    )
    assert zero.choice == 0


def test_rank_zero_of_any_model_is_the_column_means():
    X = gaussian(60, 4, random_state=0)
    models = [decomposition.PCA(0).fit(X), decomposition.PCA(1).fit(X)]
    seen = CrossValidation("entries").evaluate_grid(models, X, np.random.default_rng(0))
    assert seen.scores[0] == seen.details.nothing


@pytest.mark.parametrize("what", ["rows", "entries"])
def test_the_test_rows_take_no_part_in_the_choice(what):
    X = low_rank(160, 8)
    criterion = CrossValidation(what, test_fraction=0.25, n_splits=4)
    models = grid(decomposition.PCA(), range(1, 6), X)
    _, seen = values(criterion, models, X)
    order = np.lexsort(X.T)
    test = order[np.random.default_rng(0).permutation(160)[:40]]
    assert seen.choice == 1 and seen.details.test.value > seen.details.test_nothing.value
    if what == "rows":
        kept = np.setdiff1d(np.arange(160), test)
        expected = decomposition.PCA(2).fit(X[kept]).score_samples(X[test])
        assert seen.details.test.value == pytest.approx(expected.mean())
        assert seen.details.test.error == pytest.approx(expected.std(ddof=1) / np.sqrt(40))


def test_error_of_crossed_folds():
    """Means of row and of column effects: var = σ_r²/r + σ_c²/c, whatever the number of blocks."""
    rng = np.random.default_rng(0)
    shown, means = [], []
    for _ in range(400):
        blocks = rng.normal(size=(6, 1)) + 2 * rng.normal(size=(1, 5)) + 0.1 * rng.normal(size=(6, 5))
        shown.append(folds.Plan([], "error", (6, 5)).standard_error(blocks.ravel()))
        means.append(blocks.mean())
    assert np.sqrt(np.mean(np.square(shown))) == pytest.approx(np.std(means), rel=0.1)
    assert np.std(means) == pytest.approx(np.sqrt(1 / 6 + 4 / 5), rel=0.1)


def test_one_split_is_train_validation_test():
    X = low_rank(200, 6)
    found = select(PCA(), X, range(1, 5), CrossValidation(n_splits=1, test_fraction=0.2), random_state=0)
    details = found.details["cross-validation"]
    assert details.folds.shape == (1, 4) and found.best_params == {"n_components": 2}
    assert details.test.error > 0 and all(row["error"] > 0 for row in found.table)


def test_order_of_rows_does_not_count():
    X = low_rank(50, 5)
    order = np.random.default_rng(1).permutation(50)
    for what in ("rows", "entries"):
        first, again = (
            CrossValidation(what).evaluate(decomposition.PCA(2).fit(Y), Y, np.random.default_rng(0))
            for Y in (X, X[order])
        )
        assert first.value == pytest.approx(again.value, rel=1e-10)


def test_missing_values_in_the_table():
    X = low_rank(80, 6)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    for criterion in (CrossValidation("rows"), CrossValidation("entries", n_splits=4)):
        scores, seen = values(criterion, grid(PCA(tol=1e-4, missing="ignore"), range(1, 4), X), X)
        assert np.isfinite(scores).all() and seen.choice == 1


def test_weights_of_rows():
    X, _ = blobs(80, 2, 3, random_state=0)
    criterion = CrossValidation(n_splits=4)
    model = unmix.density.GaussianMixture(2, random_state=0).fit(X)
    plain = criterion.evaluate(model, X, np.random.default_rng(0))
    same = criterion.evaluate(model, X, np.random.default_rng(0), sample_weight=np.full(80, 1.0))
    assert same.value == pytest.approx(plain.value, rel=1e-6)
    weight = np.where(np.arange(80) < 40, 1.0, 0.0)
    half = criterion.evaluate(model, X, np.random.default_rng(0), sample_weight=weight)
    assert half.value != pytest.approx(plain.value, rel=1e-3)
    with pytest.raises(TypeError, match="takes no sample_weight"):
        criterion.evaluate(GaussianMixture(2), X, np.random.default_rng(0), sample_weight=weight)


@pytest.mark.parametrize("hide", ["blocks", "missing"])
def test_weights_of_entries_are_those_of_their_rows(hide):
    """Rows of weight 0 are as if absent, and a common factor says nothing."""
    X = low_rank(60, 6)
    weight = np.where(np.arange(60) % 3 == 0, 0.0, 1.0 + np.arange(60) % 2)
    models = grid(PCA(tol=1e-6), [1, 2], X)
    criterion = CrossValidation("entries", hide=hide, n_splits=3)
    there = weight > 0
    scores = [
        criterion.evaluate_grid(models, table, np.random.default_rng(0), sample_weight=w).scores
        for table, w in ((X, weight), (X[there], weight[there]), (X[there], 7 * weight[there]))
    ]
    for other in scores[1:]:
        assert np.allclose([s.value for s in scores[0]], [s.value for s in other], rtol=1e-4)
    plain = criterion.evaluate_grid(models, X[there], np.random.default_rng(0)).scores
    assert plain[0].value != pytest.approx(scores[0][0].value, rel=1e-3)


def test_a_block_with_whole_weights_is_the_block_of_repeated_rows():
    X = low_rank(40, 8)
    rows, columns = np.arange(40) < 13, np.arange(8) % 3 == 0
    weight = 1.0 + np.arange(40) % 3
    again = np.repeat(np.arange(40), weight.astype(int))
    once = block_errors(PCA(2), X, rows, columns, 0, weight)
    twice = block_errors(PCA(2), X[again], rows[again], columns, 0)
    assert np.allclose(np.repeat(once, weight[rows].astype(int), axis=0), twice)


def test_weights_reach_the_steps_of_a_pipeline():
    X, _ = blobs(60, 2, 3, random_state=0)
    model = make_pipeline(StandardScaler(), KMeans(n_init=3))
    seen = select(
        model, X, [1, 2, 3], [CrossValidation(), Stability(n_resamples=3)], 0, np.r_[np.ones(40), np.zeros(20)]
    )
    assert seen.best_params == {"kmeans__n_clusters": 3}


def test_codes_without_a_way_back_tell_entries_too():
    """Factor analysis has no inverse_transform: its codes are those that a regression needs."""
    X = low_rank(80, 8)
    found = select(decomposition.FactorAnalysis(), X, range(4), CrossValidation("entries"), random_state=0)
    assert found.best_params == {"n_components": 2}
    Z, Z_new, constant = codes(decomposition.FactorAnalysis(2).fit(X), X, X[:5])
    assert np.array_equal(Z[:5], Z_new) and constant


@pytest.mark.slow_without_jit
def test_likelihood_of_models_that_have_none_of_their_own():
    """K-means by round Gaussians turns with K, its distances do not; counts by multinomials."""
    X, _ = blobs(150, 2, 3, random_state=0)
    models = grid(KMeans(n_init=5, random_state=0), range(1, 8), X)
    distances, _ = values(CrossValidation(loss="error"), models, X)
    assert np.argmax(distances) > 3
    for criterion in (CrossValidation(), CrossValidation(rule="best")):
        assert values(criterion, models, X)[1].choice == 2
    alone = gaussian(150, 2, random_state=0)
    assert values(CrossValidation(), grid(KMeans(n_init=5, random_state=0), range(1, 5), alone), alone)[1].choice == 0
    rng = np.random.default_rng(0)
    counts = rng.multinomial(40, [[0.6, 0.2, 0.1, 0.1], [0.1, 0.1, 0.2, 0.6]] * 30).astype(float)
    found = select(HistogramClustering(random_state=0), counts, range(1, 5), CrossValidation(), random_state=0)
    details = found.details["cross-validation"]
    assert found.best_params == {"n_clusters": 2} and details.loss == "likelihood" and details.beats_nothing
    assert details.nothing.value == pytest.approx(found.table[0]["value"])  # one histogram for all rows


def test_held_out_rows_know_no_unit():
    X, _ = blobs(60, 2, 3, random_state=0)
    for scale in (1e-300, 1e300):
        assert select(unmix.cluster.KMeans(), X * scale, range(1, 5), CrossValidation(), random_state=0).best_index == 2
        for criterion in (CrossValidation(loss="error"), CrossValidation("entries")):
            with pytest.raises(ValueError, match="in another unit"):
                select(unmix.cluster.KMeans(), X * scale, [1, 2], criterion, random_state=0)


def test_rows_of_a_factorization_and_rows_without_cluster():
    X = low_rank(40, 5)
    model = TruncatedSVD(2).fit(X[:30])
    expected = -((X[30:] - X[30:] @ model.components_.T @ model.components_) ** 2).mean(axis=1)
    assert np.allclose(held_out_scores(model, X[:30], X[30:], "error", None), expected)

    class Lost:
        labels_ = np.array([0, 0, 1, -1])

        def predict(self, X):
            return np.array([-1, 1])

    table = np.arange(8.0).reshape(4, 2)
    assert np.allclose(rebuild(Lost(), table, np.zeros((2, 2))), [table.mean(axis=0), table[2]])


def test_probabilities_are_codes():
    X, _ = blobs(60, 2, 2, separation=2.0, random_state=0)
    model = GaussianMixture(2, random_state=0).fit(X)
    Z, Z_new, constant = codes(model, X, X[:5])
    assert np.array_equal(Z[:5], Z_new) and not constant and np.allclose(Z, model.predict_proba(X))


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"what": "columns"}, "'rows' or 'entries'"),
        ({"loss": "bits"}, "'auto', 'likelihood' or 'error'"),
        ({"hide": "rows"}, "'auto', 'missing' or 'blocks'"),
        ({"rule": "worst"}, "'one_standard_error' or 'best'"),
        ({"n_splits": 0}, "n_splits=0: give a whole number from 1 up"),
        ({"test_fraction": 1.0}, "below 1"),
        ({"test_fraction": -0.1}, "from 0 to 1"),
        ({"max_rows": 1}, "max_rows=1: give a whole number from 2 up"),
    ],
)
def test_what_is_not_known_is_refused(settings, words):
    with pytest.raises(ValueError, match=words):
        CrossValidation(**settings)


def test_more_components_than_a_fold_has_columns():
    X = gaussian(30, 4, random_state=0)
    scores, seen = values(CrossValidation("entries", hide="blocks", n_splits=2), grid(PCA(), [1, 4], X), X)
    assert np.isfinite(scores[0]) and np.isnan(scores[1]) and seen.choice == 0


def test_a_density_that_gives_new_rows_no_chance_loses():
    X = np.random.default_rng(0).normal(size=(80, 1))
    models = [KernelDensity(kernel="tophat", bandwidth=width).fit(X) for width in (1e-6, 3.0)]
    scores, seen = values(CrossValidation(), models, X)
    assert scores[0] == -np.inf and np.isnan(seen.scores[0].error) and seen.choice == 1


def test_entries_that_nothing_tells_of():
    X = gaussian(30, 1, random_state=0)
    with pytest.raises(ValueError, match="X has one column"):
        CrossValidation("entries").evaluate(KMeans(2, n_init=1).fit(X), X, np.random.default_rng(0))
    X = gaussian(30, 3, random_state=0)
    with pytest.raises(TypeError, match="KernelDensity has neither codes"):
        CrossValidation("entries").evaluate(
            unmix.density.KernelDensity("likelihood").fit(X), X, np.random.default_rng(0)
        )


def test_rank_zero_in_the_grid_changes_nothing_for_the_others():
    """Neither how entries are hidden, nor which rows are shown where some have gaps."""
    X = low_rank(60, 5)
    for criterion in (CrossValidation("entries", n_splits=3), CrossValidation(n_splits=3)):
        some, all_ranks = (
            select(PCA(tol=1e-6), X, ranks, criterion, random_state=0).evaluations[criterion.name]
            for ranks in ([1, 2], [0, 1, 2])
        )
        assert [s.value for s in all_ranks.scores[1:]] == pytest.approx([s.value for s in some.scores])
        assert all_ranks.details.folds.shape == (3, 3)
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    model = PCA(tol=1e-6, missing="ignore")
    for criterion in (CrossValidation("entries", n_splits=3), CrossValidation(n_splits=3)):
        found = select(model, X, [0, 1, 2], criterion, random_state=0)
        assert found.best_params == {"n_components": 2} and found.notes == []
    blocks = select(model, X, [0, 1, 2], CrossValidation("entries", hide="blocks"), random_state=0)
    assert "cannot use missing values" in blocks.notes[0]


def test_a_stand_in_for_one_cluster_does_not_speak_for_the_model():
    """OneCluster can label any row; a model without predict needs rows without gaps all the same."""
    X, _ = blobs(60, 2, 3, random_state=0)
    X[::9, 0] = np.nan
    found = select(HDBSCAN(copy=True), X, {"min_cluster_size": [5]}, Stability(n_resamples=2), random_state=0)
    assert any("stability cannot use missing values" in note for note in found.notes)
