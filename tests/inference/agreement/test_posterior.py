"""Agreement of posteriors against the sum over all labellings, written down one by one."""

from itertools import permutations, product
from math import factorial, log

import numpy as np
import pytest

from unmix.costs.correlation import Correlation
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.gaussian.covariance import Full
from unmix.costs.histogram import Histogram
from unmix.costs.least_angle import LeastAngle
from unmix.costs.links import make_links
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.potts import Couplings, Potts
from unmix.costs.squared_distance import SquaredDistance
from unmix.inference.agreement.gibbs_path import Annealed, FixedCosts, Interacting, follow
from unmix.inference.agreement.joint import Both, Joint
from unmix.inference.agreement.posterior import agreement
from unmix.inference.agreement.sampled import enumerated, sampled
from unmix.inference.log_partition import integrate_log_partition
from unmix.inference.mean_field import softmax

rng = np.random.default_rng(0)
n, K = 6, 3
X = rng.normal(size=(n, 2))
Y = X + 0.4 * rng.normal(size=(n, 2))
S = rng.normal(size=(n, n))
COUNTS = rng.poisson(3, (n, 4)).astype(float) + 1
MORE = rng.poisson(3, (n, 4)).astype(float) + 1


def square(Z):
    return make_dissimilarities(((Z[:, None] - Z) ** 2).sum(axis=2))


PROBLEMS = {
    "k-means": (SquaredDistance(), X, Y),
    "pairwise": (Pairwise(), square(X), square(Y)),
    "correlation": (Correlation(), make_links(S), make_links(S + 0.5 * rng.normal(size=S.shape))),
    "potts": (
        Potts(),
        Couplings(make_links(S / 2), rng.normal(size=(n, K))),
        Couplings(make_links(S / 2), rng.normal(size=(n, K))),
    ),
    "least angle": (LeastAngle(), X, Y),
    "histogram": (Histogram(np.full(4, 0.25), 1.0, 1.0), COUNTS, MORE),
}
EVERY = pytest.mark.parametrize("cost, first, second", PROBLEMS.values(), ids=PROBLEMS)


def brute_force(total_first, total_second, T, k=K, rename=None):
    """log |C| Σ_c p(c|X′) p(c|X″), in the plainest way; labels of X″ may be renamed."""
    rename = range(k) if rename is None else rename
    labellings = [np.array(c) for c in product(range(k), repeat=n)]
    p = np.array([np.exp(-total_first(c) / T) for c in labellings])
    q = np.array([np.exp(-total_second(np.array(rename)[c]) / T) for c in labellings])
    return log(k**n * (p / p.sum()) @ (q / q.sum()))


@EVERY
@pytest.mark.parametrize("T", [0.6, 3.0])
def test_enumeration_is_the_sum_over_all_labellings(cost, first, second, T):
    found = enumerated(cost, first, second, K, np.array([T]))
    expected = brute_force(lambda c: cost.total(first, c), lambda c: cost.total(second, c), T)
    assert found.total[0] == pytest.approx(expected, abs=1e-9)


CENTERS = np.array([[0.5, 0.5], [-1.0, 0.0], [0.3, -1.0]])
GIVEN = {
    "k-means": (SquaredDistance(), X, Y, CENTERS),
    "histogram": (Histogram(np.full(4, 0.25), 1.0, 1.0), COUNTS, MORE, rng.dirichlet(np.ones(4), K)),
    "gaussian": (g := Gaussian(Full(), np.full(2, 1e-6)), X, Y, g.unit(K, CENTERS)),
}


@pytest.mark.parametrize("cost, first, second, prototypes", GIVEN.values(), ids=GIVEN)
@pytest.mark.parametrize("T", [0.5, 2.0])
def test_given_prototypes_factorise(cost, first, second, prototypes, T):
    h, g = (np.asarray(cost.distances(data, prototypes)) for data in (first, second))
    totals = [lambda c, h=h: h[np.arange(n), c].sum(), lambda c: g[np.arange(n), c].sum()]
    p, q = (next(iter(follow(FixedCosts(costs), np.array([T])))) for costs in (h, g))
    assert agreement(p, q, named=True).total == pytest.approx(brute_force(*totals, T), abs=1e-9)
    # names that mean nothing: the posterior of X″ is the same under every renaming, and the kernel their mean
    every = [brute_force(*totals, T, rename=names) for names in permutations(range(K))]
    assert agreement(p, q).total == pytest.approx(log(np.mean(np.exp(every))), abs=1e-9)


def test_best_renaming_is_a_bound_for_many_clusters(monkeypatch):
    p, q = rng.dirichlet(np.full(5, 0.3), (2, 40))
    exact = agreement(p, q).total
    monkeypatch.setattr("unmix.inference.agreement.posterior.MOST_TERMS", 0)
    assert exact - log(factorial(5)) - 1e-9 < agreement(p, q).total <= exact
    sure = np.eye(5)[rng.integers(5, size=400)]
    assert agreement(sure, sure[:, [3, 1, 0, 4, 2]]).total == pytest.approx(400 * log(5) - log(120))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", ["k-means", "correlation"])  # one with rows, one with links: kernels of both samples
def test_sampled_means_give_the_same(name):
    cost, first, second = PROBLEMS[name]
    T = np.array([0.7, 5.0, 2.0])  # in any order
    exact, found = (f(cost, first, second, K, T) for f in (enumerated, sampled))
    assert (np.abs(found.total - exact.total) < 4 * found.error + 0.01).all()
    assert (found.error < 0.3).all() and exact.total.max() > 3 * found.error[exact.total.argmax()]


class OnlyTotal:
    """A cost that says what a labelling costs, and nothing of single changes."""

    def __init__(self, cost):
        self.total, self.n_objects = cost.total, getattr(cost, "n_objects", len)


def test_what_cannot_be_sampled_is_refused_in_words():
    cost, first, second = PROBLEMS["k-means"]
    with pytest.raises(TypeError, match="Gibbs needs moves"):
        sampled(OnlyTotal(cost), first, second, K, np.array([1.0]))


@pytest.mark.slow_without_jit
def test_three_log_partitions_give_the_same():
    cost, first, second = PROBLEMS["k-means"]
    T = 0.8
    both, *alone = (
        integrate_log_partition(*problem, K, T, sweeps=2000, seed=1).value
        for problem in ((Joint(cost), Both(first, second)), (cost, first), (cost, second))
    )
    exact = enumerated(cost, first, second, K, np.array([T])).total[0]
    assert n * log(K) + both - sum(alone) == pytest.approx(exact, abs=0.1)


def test_mean_fields_of_the_potts_cost_without_links_are_exact():
    fields = [rng.normal(size=(n, K)) for _ in range(2)]
    data = [Couplings(make_links(np.zeros((n, n))), h) for h in fields]
    T = np.array([0.5, 1.0])
    paths = zip(*(follow(Interacting(Potts(), d, np.eye(K)[d.field.argmin(axis=1)]), T) for d in data))
    found = [agreement(p, q, named=True).total for p, q in paths]
    np.testing.assert_allclose(found, enumerated(Potts(), *data, K, T).total, atol=1e-2)


def test_annealed_prototypes_are_the_means_of_their_shares():
    points = np.concatenate([rng.normal(-2, 1, (30, 2)), rng.normal(2, 1, (30, 2))])
    start = np.array([[-2.0, -2.0], [2.0, 2.0]])
    for T, q in zip((1.0, 4.0, 60.0), follow(Annealed(SquaredDistance(), points, start), np.array([1.0, 4.0, 60.0]))):
        U = q.T @ points / q.sum(axis=0)[:, None]
        h = ((points[:, None] - U) ** 2).sum(axis=2)
        np.testing.assert_allclose(q, softmax(h, 1 / T), atol=5e-3)
    np.testing.assert_allclose(q, 0.5, atol=0.02)  # above the first split, 2 λ_max, the two are one


def test_unrelated_samples_agree_on_nothing():
    p, q = (rng.dirichlet([20, 2, 1], 3000) for _ in range(2))
    assert agreement(p, q, prior="sizes").total < 0 < agreement(p, q, prior="uniform").total
    full = np.tile([1.0, 0.0, 0.0], (50, 1))  # one cluster holds everything: nothing is said of any object
    assert agreement(full, full, prior="sizes").total == pytest.approx(0, abs=2)
    assert agreement(full, full, prior="uniform").total > 50


def test_names_do_not_count():
    p, q = (rng.dirichlet(np.full(4, 0.3), 50) for _ in range(2))
    for prior in ("uniform", "sizes"):
        assert agreement(p, q[:, [2, 0, 3, 1]], prior=prior).total == pytest.approx(agreement(p, q, prior=prior).total)
    assert agreement(p, q, named=True).total != pytest.approx(agreement(p, q[:, [2, 0, 3, 1]], named=True).total)
    assert agreement(p[:, :1] * 0 + 1, q[:, :1] * 0 + 1).total == 0
    with pytest.raises(ValueError, match="prior='flat'"):
        agreement(p, q, prior="flat")
