"""What a role miner is given: duplicates, weights, order and index types do not change what it finds."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from unmix.roles import (
    CompleteMiner,
    DiscreteBasis,
    FastMiner,
    HammingKMeans,
    MultiAssignmentClustering,
    RoundedSVD,
    SingleAssignmentClustering,
    SVDDenoiser,
    coverage,
    deviation,
    generalization,
    improbable_grants,
    mine,
    read,
)
from unmix.roles.access.bits import structure
from unmix.roles.access.grants import without_duplicates

rng = np.random.default_rng(0)
X = ((rng.random((30, 3)) < 0.5).astype(int) @ (rng.random((3, 8)) < 0.5).astype(int) > 0).astype(float)
ESTIMATORS = [
    DiscreteBasis(3),
    HammingKMeans(3, random_state=0),
    MultiAssignmentClustering(3, random_state=0),
    SingleAssignmentClustering(3, random_state=0),
    RoundedSVD(3),
    SVDDenoiser(3, cut=0.5),
    CompleteMiner(4),
    FastMiner(4),
]
NAMES = [type(model).__name__ for model in ESTIMATORS]


def parts(matrix, kind):
    """The same matrix, entries given several times: as whole grants, or in parts that add up."""
    rows, columns = np.nonzero(matrix)
    if kind == "twice":
        data, where = np.ones(2 * rows.size), np.r_[np.arange(rows.size), np.arange(rows.size)]
    else:
        data, where = np.repeat([0.25, 0.75], rows.size), np.r_[np.arange(rows.size)[::-1], np.arange(rows.size)]
        data[: rows.size] = 0.25
    starts = np.searchsorted(np.sort(rows[where]), np.arange(matrix.shape[0] + 1))
    order = np.lexsort((np.arange(where.size)[::-1], rows[where]))
    return sp.csr_array((data[order], columns[where][order].astype(np.int64), starts), shape=matrix.shape)


def fitted(model, X, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return type(model)(**model.get_params()).fit(X, **options)


def results(model, X):
    names = [name for name in ("roles_", "assignments_", "reconstruction_") if hasattr(model, name)]
    return [np.asarray(getattr(model, name)) for name in names] + [np.asarray(model.transform(X))]


@pytest.mark.parametrize("kind", ["twice", "in parts"])
@pytest.mark.parametrize("model", ESTIMATORS, ids=NAMES)
def test_entries_that_stand_twice_are_one_grant(model, kind):
    given = parts(X, kind)
    assert not given.has_canonical_format and given.nnz == 2 * X.sum()
    plain, twice = fitted(model, sp.csr_array(X)), fitted(model, given)
    for a, b in zip(results(plain, X), results(twice, given)):
        assert np.array_equal(a, b)
    assert plain.score(X) == twice.score(given) if hasattr(plain, "score") else True
    assert given.nnz == 2 * X.sum()  # the caller's matrix is as it was
    coordinates = sp.coo_array(given)
    assert np.array_equal(results(fitted(model, coordinates), coordinates)[0], results(plain, X)[0])


@pytest.mark.parametrize("model", ESTIMATORS, ids=NAMES)
def test_weight_zero_is_absent_and_weight_two_is_twice(model):
    other = np.vstack([X, 1 - X[:7], np.ones((2, 8))])
    weights = np.r_[np.ones(30), np.zeros(9)]
    roles = fitted(model, X).roles_
    assert np.array_equal(fitted(model, other, sample_weight=weights).roles_, roles)
    twice = fitted(model, np.vstack([X, X[:10]])).roles_
    assert np.array_equal(fitted(model, X, sample_weight=np.r_[np.full(10, 2.0), np.ones(20)]).roles_, twice)


@pytest.mark.parametrize("model", ESTIMATORS, ids=NAMES)
def test_the_order_of_users_does_not_matter(model):
    order = np.random.default_rng(1).permutation(30)
    plain, mixed = fitted(model, X), fitted(model, X[order])
    assert np.array_equal(plain.roles_, mixed.roles_)
    assert np.array_equal(plain.assignments_[order], mixed.assignments_)


@pytest.mark.parametrize("kind", ["twice", "in parts"])
def test_mining_and_reading_see_one_grant(kind):
    given = parts(X, kind)
    plain, found = mine(X), mine(given)
    assert (plain.roles, plain.assignments, plain.certificate) == (found.roles, found.assignments, found.certificate)
    inferred = mine(given, "infer", n_roles=2)
    assert inferred.roles == mine(X, "infer", n_roles=2).roles
    assert (read(given).matrix.toarray() == (X > 0)).all()
    assert coverage(given, X) == 1.0 and deviation(X, given) == 0.0
    model = HammingKMeans(2, random_state=0).fit(X)
    assert generalization(model, given, random_state=0) == generalization(model, sp.csr_array(X), random_state=0)
    assert improbable_grants(model, given) == improbable_grants(model, X)


def test_parts_that_cancel_are_no_grant():
    none = sp.csr_array((np.array([1.0, -1.0, 1.0]), [0, 0, 1], [0, 3]), shape=(1, 2))
    assert structure(none).toarray().tolist() == [[False, True]]
    assert without_duplicates(none).toarray().tolist() == [[0.0, 1.0]]
    large = sp.csr_array((np.array([128, 128, 1], np.uint8), [0, 0, 1], [0, 3]), shape=(1, 2))
    assert structure(large).toarray().tolist() == [[True, True]]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"objective": "edges"},
        {"objective": "wsc"},
        {"problem": "fewest", "delta": 3},
        {"max_roles_per_user": 2},
        {"keep": {"first": ["p0", "p1"]}},
    ],
    ids=str,
)
def test_order_names_and_repeated_pairs_do_not_matter(asked):
    rng = np.random.default_rng(4)
    matrix = (rng.random((9, 3)) < 0.5).astype(int) @ (rng.random((3, 6)) < 0.5).astype(int) > 0
    matrix[0, :2] = True
    pairs = [(f"u{i}", f"p{j}") for i, j in np.argwhere(matrix)]
    plain = mine(pairs, **asked)
    shuffled = [pairs[k] for k in rng.permutation(len(pairs))]
    again = mine([*shuffled, *shuffled[::2]], **asked)
    assert (again.value, again.lower_bound, again.certificate) == (plain.value, plain.lower_bound, plain.certificate)
    assert again.verify() and len(again.exceptions) == len(plain.exceptions)
    named = {"p0": "z", "p1": "a b", "p2": 7}
    renamed = [(("user", u), named.get(p, p)) for u, p in pairs]
    options = {**asked, "keep": {"first": ["z", "a b"]}} if "keep" in asked else asked
    other = mine(renamed, **options)
    assert [{named.get(p, p) for p in role} for role in plain.roles.values()] == [set(r) for r in other.roles.values()]
    assert other.value == plain.value


@pytest.mark.parametrize("index", [500, -1])
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array])
def test_a_damaged_matrix_is_refused_before_any_loop(index, kind):
    damaged = kind((2, 2), dtype=bool)
    damaged.indptr, damaged.indices = np.array([0, 1, 1]), np.array([index])
    damaged.data = np.ones(1, bool)
    for given in (damaged, damaged.astype(float)):
        with pytest.raises(ValueError, match=r"damaged: .*(index|indices)"):
            mine(given)
        with pytest.raises(ValueError, match=r"damaged: .*(index|indices)"):
            DiscreteBasis(1).fit(given)
