"""Classic methods are one line of Factorization and reach the objectives of their estimators, on ten tables each."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn import datasets
from sklearn.linear_model import ElasticNet, Lasso

from unmix.cluster import KMeans
from unmix.constraints import L1, Fixed, NonNegative, Ridge
from unmix.decomposition import NMF, PCA, Factorization, SemiNMF
from unmix.losses import Huber, KullbackLeibler, Logistic, Multinomial, Ordinal, Poisson

TABLES = ("iris", "wine", "cancer", "digits", "diabetes", "linnerud", 0, 1, 2, 3)
PATIENT = {"tol": 1e-9, "max_iter": 5000, "random_state": 0}


def numbers(name):
    """Real tables in comparable units, and random ones of rank three with noise."""
    if isinstance(name, int):
        rng = np.random.default_rng(name)
        return rng.normal(size=(60, 3)) @ rng.normal(size=(3, 9)) + 0.3 * rng.normal(size=(60, 9)) + rng.normal(size=9)
    load = {"cancer": datasets.load_breast_cancer}.get(name) or getattr(datasets, f"load_{name}")
    X = np.asarray(load().data, dtype=float)[:150]
    spread = X.std(axis=0)
    return X[:, spread > 0] / spread[spread > 0]


def amounts(name):
    if isinstance(name, int):
        rng = np.random.default_rng(name)
        return rng.gamma(1.0, size=(50, 3)) @ rng.gamma(0.5, size=(3, 8)) + 0.05 * rng.random((50, 8))
    X = numbers(name)
    return X - X.min(axis=0)


def levels(name):
    """Categories with three levels: thirds of the columns of a table."""
    X = numbers(name)[:, :6]
    ranks = X.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")
    return np.minimum(3 * ranks // len(X) + (ranks % 7 == 0), 2).astype(float)


@pytest.mark.parametrize("name", TABLES)
def test_principal_components(name):
    X = numbers(name)
    pca, model = PCA(2).fit(X), Factorization(2, loss="squared").fit(X)
    left = 0.5 * np.linalg.norm(X - pca.inverse_transform(pca.transform(X))) ** 2
    assert model.objective_ == pytest.approx(left, rel=1e-10)
    said = model.inverse_transform(model.transform(X))
    np.testing.assert_allclose(said, pca.inverse_transform(pca.transform(X)), atol=1e-8)


@pytest.mark.parametrize("name", TABLES)
def test_non_negative_factorization(name):
    X = amounts(name)
    own = NMF(2, **PATIENT).fit(X)
    model = Factorization(2, loss="squared", codes="non_negative", components="non_negative", **PATIENT).fit(X)
    least = 0.5 * np.linalg.norm(X - own.transform(X) @ own.components_) ** 2
    assert model.objective_ <= least * (1 + 1e-4)
    assert model.objective_ == pytest.approx(0.5 * ((X - model.transform(X) @ model.components_) ** 2).sum(), rel=1e-9)


@pytest.mark.parametrize("name", TABLES)
def test_non_negative_factorization_by_divergence(name):
    X = amounts(name)
    own = NMF(2, beta_loss="kullback-leibler", **PATIENT).fit(X)
    model = Factorization(2, loss="kullback-leibler", codes="non_negative", components="non_negative", **PATIENT).fit(X)
    least = KullbackLeibler().value(X, own.transform(X) @ own.components_).sum()
    valley = 0.01 if name == "digits" else 1e-4  # there it ends in another valley, as random starts do now and then
    assert model.objective_ <= least * (1 + valley)


@pytest.mark.parametrize("name", TABLES)
def test_clusters(name):
    X = numbers(name)
    own = KMeans(3, random_state=0).fit(X)
    model = Factorization(3, loss="squared", codes="one_hot", **PATIENT).fit(X)
    assert model.objective_ <= own.inertia_ / 2 * (1 + 1e-4)
    nearest = ((X[:, None] - model.components_) ** 2).sum(axis=2).argmin(axis=1)
    np.testing.assert_array_equal(model.transform(X).argmax(axis=1), nearest)


@pytest.mark.filterwarnings("ignore:Factorization did not converge")  # one table is best met by endless components
@pytest.mark.parametrize("name", TABLES)
def test_semi_non_negative_factorization(name):
    X = numbers(name)
    own = SemiNMF(2, **PATIENT).fit(X)
    model = Factorization(2, loss="squared", codes="non_negative", tol=1e-9, max_iter=1000, random_state=0).fit(X)
    # of some tables there is no best model: the components grow on and on
    near = 0.01 if np.abs(own.components_).max() > 100 * np.abs(X).max() else 1e-4
    assert model.objective_ <= 0.5 * np.linalg.norm(X - own.transform(X) @ own.components_) ** 2 * (1 + near)


@pytest.mark.parametrize("name", TABLES)
def test_lasso_codes(name):
    X = numbers(name)[:40]
    dictionary = np.random.default_rng(0).normal(size=(5, X.shape[1]))
    model = Factorization(5, loss="squared", codes=L1(0.7), components=Fixed(dictionary), intercept=False).fit(X)
    np.testing.assert_array_equal(model.components_, dictionary)
    lasso = Lasso(alpha=0.7 / X.shape[1], fit_intercept=False, tol=1e-12, max_iter=100_000)
    codes = np.array([lasso.fit(dictionary.T, row).coef_ for row in X])
    least = 0.5 * np.linalg.norm(X - codes @ dictionary) ** 2 + 0.7 * np.abs(codes).sum()
    assert model.objective_ == pytest.approx(least, rel=1e-7)
    np.testing.assert_allclose(model.transform(X), codes, atol=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_sparse_amounts(seed):
    """Codes from 0 up that pay for their size, against scikit-learn's elastic net row by row."""
    rng = np.random.default_rng(seed)
    X, dictionary = rng.normal(size=(30, 6)), rng.normal(size=(4, 6))
    codes = NonNegative(l1=0.7, l2=0.3)
    model = Factorization(4, loss="squared", codes=codes, components=Fixed(dictionary), intercept=False).fit(X)
    net = ElasticNet(alpha=1.0 / 6, l1_ratio=0.7, fit_intercept=False, positive=True, tol=1e-12, max_iter=100_000)
    expected = np.array([net.fit(dictionary.T, row).coef_ for row in X])
    np.testing.assert_allclose(model.transform(X), expected, atol=1e-5)


def indicator_matrix(X):
    """The centred indicators over √share, and numbers standardised: its singular values are those of FAMD."""
    columns = []
    for x in X.T:
        for level in np.unique(x):
            share = (x == level).mean()
            columns.append(((x == level) - share) / np.sqrt(share))
    return np.column_stack(columns)


@pytest.mark.parametrize("name", TABLES)
def test_multiple_correspondence_analysis(name):
    X, k = levels(name), 3
    R = indicator_matrix(X)
    left, values, _ = np.linalg.svd(R, full_matrices=False)
    model = Factorization(k, loss="indicators", scale="inertia").fit(X)
    assert model.objective_ == pytest.approx(0.5 * (values[k:] ** 2).sum(), rel=1e-8)
    codes = model.transform(X)
    assert np.linalg.norm(codes, axis=0) == pytest.approx(values[:k], rel=1e-6)
    np.testing.assert_allclose(np.abs(codes.T @ left[:, :k]), np.diag(values[:k]), atol=1e-4 * values[0])


@pytest.mark.parametrize("name", TABLES)
def test_factor_analysis_of_mixed_data(name):
    table = np.column_stack([levels(name)[:, :3], numbers(name)[:, :2]])
    loss, k = ["indicators"] * 3 + ["squared"] * 2, 3
    spread = table[:, 3:] - table[:, 3:].mean(axis=0)
    R = np.column_stack([indicator_matrix(table[:, :3]), spread / spread.std(axis=0)])
    values = np.linalg.svd(R, compute_uv=False)
    model = Factorization(k, loss=loss, scale="inertia").fit(table)
    assert model.objective_ == pytest.approx(0.5 * (values[k:] ** 2).sum(), rel=1e-8)
    assert np.linalg.norm(model.transform(table), axis=0) == pytest.approx(values[:k], rel=1e-6)


def objective_of(loss, X, k, strength, width):
    """The objective and its gradient in codes, components and constants, laid out one after the other."""
    n, D = len(X), X.shape[1] * width
    seen = ~np.isnan(X)
    cells = np.where(seen, X, 0.0)

    def value(flat):
        Z, rest = flat[: n * k].reshape(n, k), flat[n * k :]
        U, b = rest[: k * D].reshape(k, D), rest[k * D :]
        m = Z @ U + b
        slope = loss.gradient(cells, m) * np.tile(seen, width)
        total = (loss.value(cells, m) * seen).sum() + strength / 2 * ((Z**2).sum() + (U**2).sum())
        slopes = (slope @ U.T + strength * Z, Z.T @ slope + strength * U, slope.sum(axis=0))
        return total, np.concatenate([part.ravel() for part in slopes])

    return value


def descend(value, start):
    options = {"maxiter": 5000, "ftol": 1e-13, "gtol": 1e-9, "maxfun": 20000}
    return minimize(value, start, jac=True, method="L-BFGS-B", options=options).fun


def brute_table(kind, seed, holes):
    rng = np.random.default_rng(seed)
    m = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 6))
    X = {
        "number": lambda: m + 0.3 * rng.normal(size=m.shape) + 8.0 * (rng.random(m.shape) < 0.05),
        "boolean": lambda: (rng.random(m.shape) < 1 / (1 + np.exp(-2 * m))).astype(float),
        "level": lambda: np.digitize(m + 0.5 * rng.normal(size=m.shape), [-0.7, 0.7]).astype(float),
        "count": lambda: rng.poisson(np.exp(0.5 * m)).astype(float),
    }[kind]()
    X[:3] = np.minimum(np.arange(3.0)[:, None], X.max())  # every level occurs everywhere
    X[rng.random(X.shape) < holes] = np.nan
    return X


@pytest.mark.parametrize("holes", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("loss, kind, width", [
    (Huber(0.7), "number", 1), (Logistic(), "boolean", 1), (Ordinal(), "level", 1), (Multinomial(levels=3), "level", 3),
    (Poisson(), "count", 1), ("squared", "number", 1),
])  # fmt: skip
def test_any_loss_reaches_what_a_general_minimiser_does(loss, kind, width, seed, holes):
    X = brute_table(kind, seed, holes)
    model = Factorization(2, loss=loss, codes=Ridge(0.5), components=Ridge(0.5), **PATIENT).fit(X)
    value = objective_of(model.groups_[0]["loss"], X, 2, 0.5, width)
    found = np.concatenate([part.ravel() for part in (model.transform(X), model.components_, model.intercept_)])
    assert value(found)[0] == pytest.approx(model.objective_, rel=1e-9)
    assert descend(value, found) >= model.objective_ * (1 - 1e-6)
    rng = np.random.default_rng(0)
    ends = [descend(value, 0.5 * rng.normal(size=len(found))) for _ in range(8)]
    assert np.min(np.abs(model.objective_ / np.array(ends) - 1)) < 1e-4  # the same valley as some random start
    assert model.objective_ <= np.median(ends) * 1.02


def test_columns_of_one_weight_are_a_weighted_decomposition():
    """With scale="column" a category of L levels counts as one number: its indicators by 1 / (L - 1)."""
    rng = np.random.default_rng(0)
    numbers, levels = rng.normal(size=(80, 2)) * [1.0, 50.0], rng.integers(0, 4, size=(80, 2)).astype(float)
    parts = [(numbers - numbers.mean(axis=0)) / numbers.std(axis=0)]
    for column in levels.T:
        hits = column[:, None] == np.arange(4)
        shares = hits.mean(axis=0)
        parts.append((hits - shares) / np.sqrt(shares) / np.sqrt(3))
    left = np.linalg.svd(np.hstack(parts), compute_uv=False)[2:]
    loss = ["squared", "squared", "indicators", "indicators"]
    model = Factorization(2, loss=loss, scale="column", tol=1e-10, max_iter=5000).fit(np.hstack([numbers, levels]))
    assert model.objective_ == pytest.approx(0.5 * (left**2).sum(), rel=1e-8)
