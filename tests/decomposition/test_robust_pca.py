"""Robust PCA: exact recovery at the published settings, a proof of optimality, gaps, noise, weights, new rows."""

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_array

import unmix
from unmix.decomposition import RobustPCA


def planted(n, d, rank, share, seed=0):
    """Candès et al. 2011: L = product of Gaussians of variance 1/n, S = ±1 on random entries."""
    rng = np.random.default_rng(seed)
    L = rng.standard_normal((n, rank)) @ rng.standard_normal((rank, d)) / np.sqrt(n * d)
    S = np.where(rng.random((n, d)) < share, rng.choice([-1.0, 1.0], (n, d)), 0.0)
    return L, S


def relative(A, B):
    return np.linalg.norm(A - B) / np.linalg.norm(B)


def cost(L, S, penalty):
    return np.linalg.svd(L, compute_uv=False).sum() + penalty * np.abs(S).sum()


@pytest.mark.parametrize("share", [0.05, 0.1])
def test_recovery_is_exact_at_the_published_setting(share):
    L, S = planted(500, 500, 25, share)
    model = RobustPCA().fit(L + S)
    assert model.penalty_ == 1 / np.sqrt(500)
    assert relative(model.low_rank_, L) < 1e-9
    assert model.rank_ == 25 and np.array_equal(model.support_, S != 0)


@pytest.mark.parametrize("shape", [(60, 60), (90, 50), (50, 90)])
@pytest.mark.parametrize("seed", range(3))
def test_small_tables_are_recovered(shape, seed):
    L, S = planted(*shape, 3, 0.05, seed)
    model = RobustPCA().fit(L + S)
    assert relative(model.low_rank_, L) < 1e-8 and relative(model.sparse_, S) < 1e-8
    assert model.rank_ == 3 and np.array_equal(model.support_, S != 0)
    assert model.dual_gap_ <= 1e-10


@pytest.mark.parametrize("case", ["planted", "noisy", "random", "long", "wide"])
def test_no_other_split_is_cheaper(case):
    """Weak duality, computed here from X alone: any Y with ‖Y‖₂ ≤ 1 and |Y| ≤ λ gives a bound; Y comes from L and S."""
    rng = np.random.default_rng(1)
    L, S = planted(60, 40, 3, 0.05)
    X = {"planted": L + S, "noisy": L + S + 0.01 * rng.normal(size=L.shape), "random": rng.normal(size=(30, 20)),
         "long": rng.normal(size=(120, 4)), "wide": rng.normal(size=(4, 50))}[case]  # fmt: skip
    model = RobustPCA(tol=1e-12).fit(X)
    L, S, penalty = model.low_rank_, model.sparse_, model.penalty_
    np.testing.assert_allclose(L + S, X, atol=1e-7)
    # Moves in random directions and towards the trivial splits never pay.
    here = cost(L, X - L, penalty)
    for L_other in (X, 0 * X, *(L + 1e-4 * rng.normal(size=X.shape) for _ in range(5))):
        for share in (1.0, 1e-2, 1e-4):
            assert cost(L + share * (L_other - L), X - L - share * (L_other - L), penalty) >= here - 1e-9
    # Subgradients: Y is price × sign on the support and U V on the directions of L; seek it by projections.
    U, values, V = np.linalg.svd(L)
    r = model.rank_
    assert values[r:].max(initial=0.0) < 1e-9
    U, V = U[:, :r], V[:r]
    Y = penalty * np.sign(S)
    for _ in range(20_000):
        D = U @ V - Y
        part = U @ (U.T @ D)
        Y = Y + part + ((D - part) @ V.T) @ V
        left, size, right = np.linalg.svd(Y, full_matrices=False)
        Y = (left * np.minimum(size, 1.0)) @ right
        Y = np.where(S != 0, penalty * np.sign(S), np.clip(Y, -penalty, penalty))
        if np.linalg.norm(part) < 1e-10 and np.linalg.norm(Y, 2) < 1 + 1e-9:
            break
    bound = (X * Y).sum() / max(1.0, np.linalg.norm(Y, 2))
    assert here - bound < 1e-5 * here
    assert here >= bound - 1e-9 * here


def test_missing_entries_are_recovered():
    L, S = planted(120, 100, 3, 0.04)
    rng = np.random.default_rng(5)
    hidden = rng.random(L.shape) < 0.3
    X = np.where(hidden, np.nan, L + S)
    model = RobustPCA(missing="ignore").fit(X)
    assert model.penalty_ == pytest.approx(1 / np.sqrt((1 - hidden.mean()) * 120))
    assert relative(model.low_rank_, L) < 1e-8
    assert np.array_equal(model.support_, (S != 0) & ~hidden)


def test_rows_and_columns_never_observed():
    L, S = planted(60, 50, 2, 0.04)
    X = L + S
    X[7], X[:, 3] = np.nan, np.nan
    model = RobustPCA(missing="ignore").fit(X)
    seen = np.ix_(np.arange(60) != 7, np.arange(50) != 3)
    assert relative(model.low_rank_[seen], L[seen]) < 1e-8
    np.testing.assert_allclose(model.low_rank_[7], 0, atol=1e-15)
    np.testing.assert_allclose(model.low_rank_[:, 3], 0, atol=1e-15)
    assert not model.sparse_[7].any() and not model.sparse_[:, 3].any()


def test_dense_noise_is_in_neither_part():
    rng = np.random.default_rng(0)
    L = rng.normal(size=(150, 3)) @ rng.normal(size=(3, 100))
    S = np.where(rng.random(L.shape) < 0.05, rng.choice([-20.0, 20.0], L.shape), 0.0)
    noise = 0.1 * rng.normal(size=L.shape)
    model, plain = RobustPCA(noise=0.1).fit(L + S + noise), RobustPCA(tol=1e-5).fit(L + S + noise)
    assert model.rank_ == 3 < plain.rank_
    assert np.array_equal(np.abs(model.sparse_) > 5, S != 0)
    assert np.linalg.norm(model.low_rank_ - L) < 0.5 * np.linalg.norm(noise)
    rest = L + S + noise - model.low_rank_ - model.sparse_
    assert 0.5 * np.linalg.norm(noise) < np.linalg.norm(rest) < 2 * np.linalg.norm(noise)


@pytest.mark.parametrize("missing", [False, True])
def test_stable_pursuit_is_optimal(missing):
    """Y = (X - L - S)/δ is a subgradient of both norms: ‖Y‖₂ ≤ 1 with U V inside, |Y| ≤ λ with signs on the support."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 30)) + 0.3 * rng.normal(size=(40, 30))
    X[rng.random(X.shape) < 0.1] = 9.0
    if missing:
        X[rng.random(X.shape) < 0.2] = np.nan
    model = RobustPCA(noise=0.3, tol=1e-13, missing="ignore").fit(X)
    Y = np.where(np.isnan(X), 0.0, X - model.low_rank_ - model.sparse_) / model.noise_scale_
    U, _, V = np.linalg.svd(model.low_rank_)
    U, V = U[:, : model.rank_], V[: model.rank_]
    assert np.linalg.norm(Y, 2) < 1 + 1e-6 and np.abs(Y).max() < model.penalty_ + 1e-6
    np.testing.assert_allclose(U.T @ Y, V, atol=1e-5)
    np.testing.assert_allclose(Y @ V.T, U, atol=1e-5)
    np.testing.assert_allclose(Y[model.support_], model.penalty_ * np.sign(model.sparse_[model.support_]), atol=1e-6)


def test_weights_are_repeats():
    L, S = planted(50, 40, 2, 0.05)
    X, weights = L + S, np.random.default_rng(0).integers(0, 3, 50)
    weighted = RobustPCA().fit(X, sample_weight=weights)
    repeated = RobustPCA().fit(np.repeat(X, weights, axis=0))
    np.testing.assert_allclose(np.repeat(weighted.low_rank_, weights, axis=0), repeated.low_rank_, atol=1e-8)
    np.testing.assert_allclose(weighted.singular_values_, repeated.singular_values_, rtol=1e-8)
    assert weighted.penalty_ == pytest.approx(repeated.penalty_)
    np.testing.assert_allclose(weighted.low_rank_[weights == 0], L[weights == 0], atol=1e-8)
    noisy = np.random.default_rng(1).normal(size=(50, 8))  # where the penalty decides
    weighted = RobustPCA().fit(noisy, sample_weight=weights).low_rank_
    repeated = RobustPCA().fit(np.repeat(noisy, weights, axis=0)).low_rank_
    np.testing.assert_allclose(np.repeat(weighted, weights, axis=0), repeated, atol=1e-6)


@pytest.mark.slow_without_jit
def test_new_rows_are_split():
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(3, 40))
    train = rng.normal(size=(80, 3)) @ directions
    train[rng.random(train.shape) < 0.05] = 50.0
    model = RobustPCA(missing="ignore").fit(train)
    L = rng.normal(size=(30, 3)) @ directions
    S = np.where(rng.random(L.shape) < 0.1, 30.0, 0.0)
    X = L + S
    X[0, :10] = np.nan
    low_rank, sparse = model.split(X)
    np.testing.assert_allclose(low_rank, L, atol=1e-6)
    assert np.array_equal(sparse != 0, (S != 0) & ~np.isnan(X))
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), low_rank, atol=1e-9)
    np.testing.assert_allclose(model.transform(train) @ model.components_, model.low_rank_, atol=1e-6)
    with pytest.raises(ValueError, match="columns"):
        model.inverse_transform(np.ones((2, 9)))


@pytest.mark.slow_without_jit
def test_codes_are_least_absolute_deviations():
    """Against linear programs, on rows where nothing is exact."""
    rng = np.random.default_rng(0)
    model = RobustPCA(missing="ignore").fit(rng.normal(size=(40, 12)))
    k, d = model.components_.shape
    assert 0 < k < d
    X = rng.normal(size=(15, 12))
    X[3, 2] = np.nan
    Z = model.transform(X)
    for x, z in zip(X, Z):
        seen = ~np.isnan(x)
        U, m = model.components_[:, seen], int(seen.sum())
        equations, bounds = np.hstack([U.T, np.eye(m), -np.eye(m)]), [(None, None)] * k + [(0, None)] * (2 * m)
        program = linprog(np.r_[np.zeros(k), np.ones(2 * m)], A_eq=equations, b_eq=x[seen], bounds=bounds)
        assert abs(np.abs(x[seen] - z @ U).sum() - program.fun) < 1e-8
    few = np.full((1, 12), np.nan)
    few[0, 0] = 2.0
    assert model.inverse_transform(model.transform(few))[0, 0] == pytest.approx(2.0)
    assert not model.transform(np.full((1, 12), np.nan)).any()


@pytest.mark.parametrize("scale", [1e-150, 1e150, 1e-300])
def test_scale_does_not_matter(scale):
    L, S = planted(40, 30, 2, 0.05)
    plain, scaled = RobustPCA().fit(L + S), RobustPCA().fit((L + S) * scale)
    np.testing.assert_allclose(scaled.low_rank_ / scale, plain.low_rank_, atol=1e-9)
    assert np.array_equal(scaled.support_, plain.support_) and scaled.rank_ == plain.rank_


def test_single_precision():
    L, S = planted(60, 60, 3, 0.05)
    model = RobustPCA().fit((L + S).astype(np.float32))
    assert model.low_rank_.dtype == model.sparse_.dtype == model.components_.dtype == np.float32
    assert relative(model.low_rank_, L) < 1e-4
    assert model.transform((L + S).astype(np.float32)).dtype == np.float32


def test_tables_without_structure():
    nothing = RobustPCA().fit(np.zeros((6, 4)))
    assert nothing.rank_ == 0 and not nothing.support_.any() and nothing.transform(np.ones((2, 4))).shape == (2, 0)
    constant = RobustPCA().fit(np.full((30, 20), 3.0))
    assert constant.rank_ == 1 and np.allclose(constant.low_rank_, 3) and not constant.support_.any()
    # One column: ‖x‖₁/√n ≤ ‖x‖₂, so everything is sparse.
    column = np.random.default_rng(0).normal(size=(20, 1))
    lone = RobustPCA().fit(column)
    assert lone.rank_ == 0 and np.allclose(lone.sparse_, column)
    row = RobustPCA().fit(column.T)
    assert row.rank_ == 0 and np.allclose(row.sparse_, column.T)
    one = RobustPCA().fit([[2.0]])
    assert one.low_rank_ + one.sparse_ == pytest.approx(2.0)


def test_a_large_penalty_leaves_no_errors_and_a_small_one_no_rank():
    X = np.random.default_rng(0).normal(size=(20, 15))
    assert np.allclose(RobustPCA(penalty=10.0).fit(X).low_rank_, X)
    assert RobustPCA(penalty=1e-3).fit(X).rank_ == 0


@pytest.mark.parametrize("settings", [{}, {"noise": 0.3}], ids=["plain", "noise"])
def test_resumed_fit_has_the_same_bits(settings, tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 20))
    expected, seen = RobustPCA(**settings).fit(X), []

    class Power(Exception):
        pass

    def fail(record):
        seen.append(record)
        if len(seen) == 20:
            raise Power

    for observe in (fail, None):
        with unmix.execution(checkpoint=tmp_path / "fit", checkpoint_seconds=0, observe=observe):
            if observe:
                with pytest.raises(Power):
                    RobustPCA(**settings).fit(X)
            else:
                resumed = RobustPCA(**settings).fit(X)
    assert np.array_equal(resumed.low_rank_, expected.low_rank_) and resumed.trace_ == expected.trace_


def test_sparse_input_is_refused_and_slow_fits_say_so():
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        RobustPCA().fit(csr_array(np.eye(3)))
    with pytest.warns(UserWarning, match="duality gap"):
        RobustPCA(max_iter=3).fit(np.random.default_rng(0).normal(size=(20, 10)))


def low_rank_table(shape=(100, 60), rank=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))


@pytest.mark.parametrize("dtype, error", [(np.float64, 1e-10), (np.float32, 1e-5)])
@pytest.mark.parametrize("size", [1e3, 1e6, 1e9, 1e12])
def test_how_far_out_an_entry_is_does_not_matter(size, dtype, error):
    L, X = low_rank_table(), low_rank_table()
    X[3, 4] = size
    model = RobustPCA().fit(X.astype(dtype))
    assert model.rank_ == 3 and np.abs(model.low_rank_ - L).max() < error * 10
    assert np.argwhere(model.support_).tolist() == [[3, 4]]
    assert model.sparse_[3, 4] == pytest.approx(size - L[3, 4], rel=1e-6)


@pytest.mark.parametrize("dtype, error", [(np.float64, 1e-9), (np.float32, 1e-4)])
@pytest.mark.parametrize("missing", [False, True])
def test_errors_of_all_sizes_at_once(dtype, error, missing):
    L, rng = low_rank_table(), np.random.default_rng(1)
    wrong = rng.random(L.shape) < 0.05
    X = np.where(wrong, rng.choice([-1, 1], L.shape) * 10.0 ** rng.uniform(1, 12, L.shape), L)
    if missing:
        X[rng.random(L.shape) < 0.1] = np.nan
    model = RobustPCA(missing="ignore").fit(X.astype(dtype))
    assert model.rank_ == 3 and np.abs(model.low_rank_ - L).max() < error
    assert np.array_equal(model.support_, wrong & ~np.isnan(X))
    assert model.dual_gap_ <= max(1e-10, 50 * np.finfo(dtype).eps)


@pytest.mark.parametrize("size", [1e4, 1e12])
@pytest.mark.parametrize("shape", [(100, 60), (60, 100)])
def test_a_far_row_leaves_the_others_alone(size, shape):
    L, X = low_rank_table(shape), low_rank_table(shape)
    X[5] = size * np.random.default_rng(2).normal(size=shape[1])
    model = RobustPCA().fit(X)
    others = np.arange(shape[0]) != 5
    assert np.abs(model.low_rank_[others] - L[others]).max() < 1e-6
    np.testing.assert_allclose(model.low_rank_[5] + model.sparse_[5], X[5], rtol=1e-9)


@pytest.mark.parametrize("noise", [0.0, 0.1])
def test_noisy_tables_do_not_depend_on_how_far_out_an_entry_is(noise):
    """Whatever its size beyond the noise, the optimum is the same."""
    X = low_rank_table() + 0.1 * np.random.default_rng(3).normal(size=(100, 60))
    parts = []
    for size in (1e3, 1e7, 1e12):
        X[3, 4] = size
        parts.append(RobustPCA(noise=noise, tol=1e-6).fit(X).low_rank_)
    np.testing.assert_allclose(parts[1], parts[0], atol=1e-4)
    np.testing.assert_allclose(parts[2], parts[0], atol=1e-4)


@pytest.mark.parametrize("size", [0.0, 1e6, 1e12])
def test_large_entries_of_the_low_rank_part_are_kept(size):
    """Rows and columns of very different sizes: most of what is far beyond the median is no error."""
    rng = np.random.default_rng(0)
    L = np.exp(2.5 * rng.normal(size=(100, 1))) @ np.exp(1.5 * rng.normal(size=(1, 60)))
    X = L.copy()
    X[3, 4] += size * L.mean()
    model = RobustPCA().fit(X)
    assert model.rank_ == 1 and relative(model.low_rank_, L) < 1e-9


def test_the_gap_is_that_of_the_whole_table():
    """Weak duality with the multipliers that L and S of the far table imply, computed from X alone."""
    X = low_rank_table()
    X[3, 4], X[50, 7] = 1e5, -1e7
    model = RobustPCA().fit(X)
    U, values, V = np.linalg.svd(model.low_rank_)
    U, V = U[:, :3], V[:3]
    Y, signs = np.zeros_like(X), model.penalty_ * np.sign(model.sparse_)
    for _ in range(500):
        D = U @ V - Y
        part = U @ (U.T @ D)
        Y = np.where(model.support_, signs, np.clip(Y + part + ((D - part) @ V.T) @ V, -model.penalty_, model.penalty_))
    spent = values.sum() + model.penalty_ * np.abs(X - model.low_rank_).sum()
    bound = (X * Y).sum() / max(1.0, np.linalg.norm(Y, 2))
    assert -1e-12 < (spent - bound) / spent < 1e-10
    assert 0 <= model.dual_gap_ <= 1e-10


def test_powers_of_two_as_units_change_no_bit():
    X = low_rank_table()
    X[3, 4], X[50, 7] = 1e9, -1e5
    plain = RobustPCA().fit(X)
    for power in (30, -30, 600, -600):
        scaled = RobustPCA().fit(np.ldexp(X, power))
        assert np.array_equal(scaled.low_rank_, np.ldexp(plain.low_rank_, power))
        assert np.array_equal(scaled.sparse_, np.ldexp(plain.sparse_, power))


def test_an_unfinished_fit_claims_no_proof():
    X = np.exp(4 * np.random.default_rng(0).normal(size=(40, 30)))
    with pytest.warns(UserWarning, match="duality gap"):
        model = RobustPCA(max_iter=5).fit(X)
    assert model.dual_gap_ > 1e-10


def test_rows_of_weight_zero_are_absent():
    X, weights = low_rank_table(), np.ones(100)
    X[20, 3] = 1e4
    expected = RobustPCA().fit(np.delete(X, [3, 9], axis=0))
    X[3], X[9], weights[[3, 9]] = 1e300, np.nan, 0
    model = RobustPCA(missing="ignore").fit(X, sample_weight=weights)
    assert np.array_equal(model.components_, expected.components_)
    assert np.array_equal(np.delete(model.low_rank_, [3, 9], axis=0), expected.low_rank_)
    assert np.isfinite(model.low_rank_).all()


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("dtype, error", [(np.float64, 1e-9), (np.float32, 1e-5)])
def test_far_entries_do_not_move_the_codes_of_new_rows(dtype, error):
    L, rng = low_rank_table(), np.random.default_rng(4)
    model = RobustPCA().fit(L.astype(dtype))
    rows = rng.normal(size=(20, 3)) @ model.components_.astype(np.float64)
    X = rows.copy()
    X[np.arange(20), rng.integers(0, 60, 20)] = 10.0 ** rng.uniform(2, 12, 20)
    X[:, 7] += 0.5
    wrong = np.abs(X - rows) > 0.1
    low_rank, sparse = model.split(X.astype(dtype))
    np.testing.assert_allclose(low_rank, rows, atol=error)
    assert np.array_equal(sparse != 0, wrong)
    np.testing.assert_allclose(model.transform(X[:1].astype(dtype)), model.transform(X.astype(dtype))[:1], atol=error)
