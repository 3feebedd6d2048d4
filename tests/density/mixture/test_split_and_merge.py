"""What a cut and a join are worth against the likelihood of rows and labels, and moves that mend a planted fault."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.mixture import GaussianMixture as Peer

from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Diagonal, Full, Spherical, Tied
from unmix.density import GaussianMixture
from unmix.density.mixture.other_starts import least_loss, mixture_of_labels
from unmix.density.mixture.race import Sample
from unmix.density.mixture.split_and_merge import Excess, Move, cut_of_line, measure, moved, split_and_merge
from unmix.density.mixture.start import Given
from unmix.inference.expectation import expectation
from unmix.io.dispatch import as_blocks

FAMILIES = [Full(), Tied(), Diagonal(), Spherical()]


def groups(places, n=150, d=3, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(places)), n)
    rows = rng.normal(size=(len(labels), d))
    rows[:, 0] += np.asarray(places)[labels]
    return rows / rows.std(), labels


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: type(family).__name__)
def test_an_excess_is_a_difference_of_likelihoods_of_rows_and_labels(family):
    rows, labels = groups([0, 2, 5])
    own, joined = np.ones(len(rows)), np.where(labels == 1, 0, labels)
    parts = [measure(rows[labels == c], own[labels == c]) for c in range(3)]
    cost = Gaussian(family, np.full(3, 1e-12))
    expected = cost.total(rows, np.searchsorted([0, 2], joined)) - cost.total(rows, labels)
    within = sum(part.scatter[0] for part in parts) / len(rows)
    assert Excess(family, len(rows), within).of_join(parts[0], parts[1])[0] == pytest.approx(expected, abs=0.01)
    wide = measure(rows[joined == 0], own[joined == 0]).scatter[0] + parts[2].scatter[0]
    assert Excess(family, len(rows), wide / len(rows)).of_cut(parts[0], parts[1])[0] == pytest.approx(
        expected, abs=0.01
    )


def test_a_weight_is_a_repetition():
    rng = np.random.default_rng(4)
    rows, own, q = rng.normal(size=(40, 2)), rng.integers(0, 4, 40), rng.dirichlet(np.ones(3), size=40)
    again = np.repeat(np.arange(40), own)
    for weighted, repeated in zip(measure(rows, own.astype(float)), measure(rows[again], np.ones(len(again)))):
        np.testing.assert_allclose(weighted, repeated)
    cost, side = Gaussian(Full(), np.full(2, 1e-9)), rows[:, 0] > 0
    one = moved(Sample(rows, rows, own.astype(float)), q, cost, Move(0.0, (0, 1), 2, side))
    repeated = Sample(rows[again], rows[again], np.ones(len(again)))
    two = moved(repeated, q[again], cost, Move(0.0, (0, 1), 2, side[again]))
    for weighted, expected in zip(one, two):
        np.testing.assert_allclose(weighted, expected, atol=1e-9)


def test_a_line_is_cut_where_the_variance_on_both_sides_is_least():
    rng = np.random.default_rng(0)
    line, share = rng.normal(size=40), rng.random(40)
    share /= share.sum()

    def within(threshold):
        sides = [line > threshold, line <= threshold]
        return sum(share[side].sum() * np.cov(line[side], aweights=share[side], ddof=0) for side in sides)

    middles = np.sort(line)[:-1] + np.diff(np.sort(line)) / 2
    assert within(cut_of_line(line, share)) == pytest.approx(min(within(middle) for middle in middles))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: type(family).__name__)
def test_two_groups_in_one_component_and_one_group_in_two_are_set_right(family):
    rows, labels = groups([0, 9, 18])
    cost = Gaussian(family, np.full(3, 1e-6))
    X = as_blocks(rows)
    cut = np.where(labels == 2, np.where(rows[:, 1] > 0, 2, 1), 0)  # the first two groups as one, the third in two
    sample = Sample(rows, rows, np.ones(len(rows)))
    planted = mixture_of_labels(sample, cost, cut, 3, Given())
    stuck = expectation(X, cost, planted, max_iter=200, tol=1e-8).prototypes
    right = expectation(X, cost, mixture_of_labels(sample, cost, labels, 3, Given()), max_iter=50, tol=1e-8)
    found = split_and_merge(sample, cost, stuck, 1e-3)
    assert found is not None
    reached = expectation(X, cost, found, max_iter=50, tol=1e-8)
    assert reached.free_energy == pytest.approx(right.free_energy, abs=1e-4)
    assert split_and_merge(sample, cost, right.prototypes, 1e-3) is None, "what is right stays"


def test_what_two_components_lose_as_one_is_that_of_their_moments():
    rows, labels = groups([0, 4])
    cost = Gaussian(Full(), np.full(3, 1e-12))
    mixture = cost.prototypes(cost.statistics(rows, np.eye(2)[labels], cost.unit(2)), cost.unit(2))
    chance = (3 * 6 / 2 + 1) / len(rows)
    expected = (cost.total(rows, np.zeros(len(rows), int)) - cost.total(rows, labels)) / len(rows) - chance
    assert least_loss(mixture, len(rows)) == pytest.approx(expected)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", [7, 17, 28, 77, 110, 116])
def test_hard_tables_are_fitted_as_well_as_by_scikit_learn(seed):
    """Groups of many shapes in mixed units, on which K-means once in columns of equal spread starts badly."""
    tables = pytest.importorskip("benchmarks.random_mixtures.tables")
    table = tables.draw_table(seed)
    unit = table.rows.std(axis=0)
    for rows in (table.rows, table.rows / unit):
        model, peer = (kind(table.k, random_state=0).fit(rows) for kind in (GaussianMixture, Peer))
        assert model.score(rows) > peer.score(rows) - 0.01


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", ["full", "tied", "diag"])
def test_labels_do_not_depend_on_units_or_the_order_of_columns(kind):
    rng = np.random.default_rng(3)
    labels = rng.integers(4, size=600)
    X = 5 * rng.normal(size=(4, 5))[labels] + rng.normal(size=(600, 5))
    X[:, 3:] = rng.normal(size=(600, 2))  # noise
    first = GaussianMixture(4, covariance_type=kind, random_state=0).fit(X).predict(X)
    assert adjusted_rand_score(first, labels) > 0.9
    powers = 2.0 ** rng.integers(-10, 11, 5)
    exact = GaussianMixture(4, covariance_type=kind, random_state=0).fit(X * powers)
    np.testing.assert_array_equal(exact.predict(X * powers), first)
    for scale in 10.0 ** rng.uniform(-3, 3, (3, 5)):
        again = GaussianMixture(4, covariance_type=kind, random_state=0).fit(X * scale).predict(X * scale)
        np.testing.assert_array_equal(again, first)
    order = rng.permutation(5)
    turned = GaussianMixture(4, covariance_type=kind, random_state=0).fit(X[:, order]).predict(X[:, order])
    assert adjusted_rand_score(turned, first) > 0.98


def wing_nut(seed=0):
    """Two blocks side by side, each denser towards the other's far corner, so that a cut between them is no ball."""
    rng = np.random.default_rng(seed)
    place = rng.random((4000, 2))
    kept = place[rng.random(4000) < place.mean(axis=1)][:500] * [1.0, 2.0]
    return np.concatenate([kept + np.array([0.15, 0.0]), np.array([-0.15, 2.0]) - kept]), np.repeat([0, 1], 500)


def test_two_blocks_are_told_apart_in_any_units():
    X, side = wing_nut()
    for scale in ([1.0, 1.0], [0.8, 1.0], [1.5, 1.0], [1e-3, 1.0], [1.0, 7e3]):
        labels = GaussianMixture(2, random_state=0).fit_predict(X * scale)
        assert adjusted_rand_score(side, labels) > 0.85
