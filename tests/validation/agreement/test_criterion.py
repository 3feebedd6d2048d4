"""Posterior agreement: its theory, the choice of temperature, K, cost and algorithm, and its invariances."""

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import AgglomerativeClustering, SpectralClustering
from sklearn.cluster import KMeans as SklearnKMeans
from sklearn.mixture import GaussianMixture as SklearnMixture

from unmix.cluster import HistogramClustering, KMeans, PairwiseClustering, SoftKMeans
from unmix.costs.links import make_links
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.potts import Couplings, Potts
from unmix.costs.squared_distance import SquaredDistance
from unmix.datasets import blobs, gaussian
from unmix.density import GaussianMixture
from unmix.inference.agreement import gibbs_path
from unmix.inference.agreement.gibbs_path import em_at_temperature
from unmix.validation import (
    AgreementDetails,
    MeasuredTwice,
    PosteriorAgreement,
    Replicate,
    Score,
    SplitFeatures,
    SplitObjects,
    compare,
    posterior_agreement,
    select,
)
from unmix.validation.agreement.criterion import preferred

pytestmark = pytest.mark.slow_without_jit  # thousands of small fits
FAST = {"n_pairs": 3, "n_temperatures": 12, "n_references": 5}


def measured_twice(k, d, n, sigma, separation=1.0, seed=0):
    """n objects in k groups of equal size at the corners of a simplex, twice, with noise."""
    rng = np.random.default_rng(seed)
    centers = separation * np.eye(k, d)
    objects = centers[np.arange(n) % k]
    return [objects + sigma * rng.normal(size=(n, d)) for _ in range(2)]


def bits_of(model, X, pairing, **settings):
    criterion = PosteriorAgreement(pairing, **(FAST | settings))
    return criterion.measure(model.fit(X), X, np.random.default_rng(0))


def mutual_information(distance, sigma):
    """I(X′; X″) in bits of two looks at one of two points, by integrating the densities."""
    x = np.linspace(-distance / 2 - 7 * sigma, distance / 2 + 7 * sigma, 801)
    given = (
        np.exp(-((x[:, None] - np.array([-1, 1]) * distance / 2) ** 2) / (2 * sigma**2)) / sigma / np.sqrt(2 * np.pi)
    )
    joint, alone = given @ given.T / 2, given.mean(axis=1)
    ratio = np.log2(np.maximum(joint, 1e-300) / np.maximum(np.outer(alone, alone), 1e-300))
    return float((joint * ratio).sum() * (x[1] - x[0]) ** 2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sigma", [0.5, 1.0, 1.6])
def test_with_known_noise_the_temperature_is_twice_its_variance_and_bits_are_mutual_information(sigma, seed):
    rng, U = np.random.default_rng(seed), np.array([[-1.5], [1.5]])
    objects = U[np.arange(20_000) % 2]
    first, second = (objects + sigma * rng.normal(size=objects.shape) for _ in range(2))
    seen = posterior_agreement(SquaredDistance(), first, second, 2, prototypes=U, named=True)
    assert seen.temperature == pytest.approx(2 * sigma**2, rel=0.1)
    assert seen.score.value == pytest.approx(mutual_information(3, sigma), abs=4 * seen.score.error)
    assert 0 < seen.score.error < 0.01
    assert seen.total == pytest.approx(20_000 * seen.score.value)


@pytest.mark.long
def test_temperature_of_annealed_k_means_moves_with_the_variance():
    found = []
    for sigma in (0.3, 0.5):
        X, again = measured_twice(2, 4, 3000, sigma, separation=1.2, seed=2)
        found.append(bits_of(KMeans(2, random_state=0), X, MeasuredTwice(again), n_temperatures=40).temperature)
    np.testing.assert_allclose(found, [2 * 0.3**2, 2 * 0.5**2], rtol=0.35)
    assert found[1] / found[0] == pytest.approx(25 / 9, rel=0.3)


@pytest.mark.parametrize(
    "model",
    [KMeans(4, random_state=0), SoftKMeans(4), GaussianMixture(4, random_state=0, covariance_type="spherical"),
     PairwiseClustering(4, random_state=0), SklearnKMeans(4, n_init=5, random_state=0),
     SklearnMixture(4, random_state=0, n_init=3, covariance_type="spherical"), AgglomerativeClustering(4),
     SpectralClustering(4, random_state=0, gamma=50.0)],
    ids=lambda model: f"{type(model).__module__.split('.')[0]} {type(model).__name__}",
)  # fmt: skip
def test_separated_groups_give_all_their_bits(model):
    X, again = measured_twice(4, 6, 120, 0.05)
    seen = bits_of(model, X, MeasuredTwice(again))
    assert seen.score.value == pytest.approx(2 - np.log2(24) / 120, abs=0.05)


@pytest.mark.long
def test_separated_groups_of_counts_and_of_dissimilarities():
    rng = np.random.default_rng(0)
    profiles = np.array([[0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.7]])
    X, again = (np.array([rng.multinomial(60, profiles[i % 2]) for i in range(80)]).astype(float) for _ in range(2))
    seen = bits_of(HistogramClustering(2, random_state=0), X, MeasuredTwice(again))
    assert seen.score.value == pytest.approx(1, abs=0.03)
    D, other = (np.sqrt(((Z[:, None] - Z) ** 2).sum(axis=2)) for Z in (X, again))
    model = PairwiseClustering(2, metric="precomputed", random_state=0)
    assert bits_of(model, D, MeasuredTwice(other)).score.value == pytest.approx(1, abs=0.05)
    assert bits_of(model, D, SplitObjects()).score.value == pytest.approx(1, abs=0.05)


def test_a_half_empty_answer_tells_only_the_entropy_of_sizes():
    X, again = measured_twice(2, 2, 200, 0.02)
    X[X[:, 0] > 0.5] -= [1, -1]  # all objects at one point, but for ten
    X[:10] += 5
    again = X + 0.01 * np.random.default_rng(0).normal(size=X.shape)
    seen = bits_of(KMeans(2, random_state=0), X, MeasuredTwice(again))
    entropy = -(0.05 * np.log2(0.05) + 0.95 * np.log2(0.95))
    assert seen.score.value == pytest.approx(entropy, abs=0.03)
    assert bits_of(KMeans(2, random_state=0), X, MeasuredTwice(again), prior="uniform").score.value > 0.9


@pytest.mark.parametrize("d", [2, 8])
def test_noise_carries_no_bits_and_is_not_cut_into_clusters(d):
    X, again = (gaussian(200, d, random_state=seed) for seed in (0, 1))
    for pairing in (SplitFeatures(), MeasuredTwice(again)):
        found = select(KMeans(), X, range(1, 6), PosteriorAgreement(pairing, **FAST), random_state=0)
        assert found.best_params == {"n_clusters": 1}
        scores = [row["value"] for row in found.table]
        assert scores[0] == 0 and max(scores) < 0.03
    assert compare([KMeans(3)], X, pairing=MeasuredTwice(again), random_state=0).best is None


@pytest.mark.parametrize(
    "pairing, own_noise", [(SplitFeatures(), 1.0), (SplitObjects(), 1.0), (Replicate(1.0), 0.01)], ids=["f", "o", "r"]
)
def test_the_number_of_groups_is_found(pairing, own_noise):
    centers = 5 * np.random.default_rng(1).choice([-1, 1], (4, 12))  # every group shows in every half of the features
    X = centers[np.arange(240) % 4] + own_noise * np.random.default_rng(0).normal(size=(240, 12))
    found = select(KMeans(), X, range(1, 6), PosteriorAgreement(pairing, **FAST), random_state=0)
    assert found.best_params == {"n_clusters": 4}
    assert found.details["posterior agreement"][3].score.value == pytest.approx(2, abs=0.1)


def test_one_cloud_cut_replicably_is_still_no_cluster():
    # neighbours share their place, so both halves of a long cloud are cut the same way: bits, but no more than chance
    X = gaussian(200, 2, random_state=3) * [3, 1]
    found = select(KMeans(), X, range(1, 5), PosteriorAgreement(**FAST), random_state=0)
    assert found.best_params == {"n_clusters": 1}
    seen = found.details["posterior agreement"]
    assert seen[2].score.value > 0.3 and seen[2].chance.value > 0.3


@pytest.mark.parametrize("seed", [0, 1])
def test_two_groups_are_told_from_one_long_cloud(seed):
    rng = np.random.default_rng(seed)
    X = 6.0 * np.eye(2)[:1] * (np.arange(400) % 2)[:, None] + rng.normal(size=(400, 2))
    long = X.std(axis=0) * rng.normal(size=(400, 2))
    for table, k in ((X, 2), (long, 1)):
        assert select(KMeans(), table, range(1, 4), PosteriorAgreement(), random_state=0).best_params["n_clusters"] == k


def test_weights_keep_measurements_of_an_object_together():
    X, again = measured_twice(3, 4, 90, 0.1)
    weights = np.random.default_rng(0).uniform(0, 2, 90)  # not whole: as many rows as there were, but other ones
    criterion = PosteriorAgreement(MeasuredTwice(again), **FAST)
    found = select(KMeans(), X, range(1, 5), criterion, sample_weight=weights, random_state=0)
    assert found.best_params == {"n_clusters": 3}
    seen = found.details["posterior agreement"][2].score.value
    sizes = np.bincount(np.arange(90) % 3, weights) / weights.sum()
    assert seen == pytest.approx(stats.entropy(sizes, base=2) - np.log2(6) / 90, abs=0.05)
    twice = np.arange(90) % 2 + 1.0
    model, rows = KMeans(3, random_state=0).fit(X), np.repeat(np.arange(90), twice.astype(int))
    one = criterion.measure(model, X, np.random.default_rng(0), twice).score.value
    same = PosteriorAgreement(MeasuredTwice(again[rows]), **FAST).measure(model, X[rows], np.random.default_rng(0))
    assert one == pytest.approx(same.score.value, abs=1e-6)


def test_a_comparison_takes_weights():
    X, again = measured_twice(2, 3, 60, 0.1)
    weights = np.where(np.arange(60) % 2, 1.0, 2.0)
    found = compare([KMeans(2), KMeans(3)], X, pairing=MeasuredTwice(again), sample_weight=weights, random_state=0)
    assert found.table[0]["total_bits"] == pytest.approx(90 * stats.entropy([2, 1], base=2) - 1, abs=1)
    with pytest.raises(TypeError, match="takes none"):
        compare([KMeans(2), AgglomerativeClustering(2)], X, sample_weight=weights)


def test_objects_with_a_gap_in_either_measurement_are_left_out():
    X, again = measured_twice(2, 3, 80, 0.1)
    again[:6, 1] = np.nan
    gaps = X.copy()
    gaps[10:15, 0] = np.nan
    criterion = PosteriorAgreement(MeasuredTwice(again), **FAST)
    seen = criterion.measure(KMeans(2), gaps, np.random.default_rng(0))
    assert seen.total / seen.score.value == pytest.approx(80 - 11)
    assert seen.score.value == pytest.approx(1 - 1 / 69, abs=0.02)
    with pytest.raises(ValueError, match="fewer than 2 objects"):
        PosteriorAgreement(MeasuredTwice(np.full_like(X, np.nan))).measure(KMeans(2), X, np.random.default_rng(0))
    with pytest.raises(ValueError, match="infinite"):
        PosteriorAgreement(MeasuredTwice(np.full_like(X, np.inf))).measure(KMeans(2), X, np.random.default_rng(0))


def test_single_precision_gives_the_same_bits():
    X, again = measured_twice(3, 4, 120, 0.4)
    for shift in (0, 300):
        double, single = (
            bits_of(KMeans(3, random_state=0), (X + shift).astype(kind), MeasuredTwice((again + shift).astype(kind)))
            for kind in (np.float64, np.float32)
        )
        assert single.score.value == pytest.approx(double.score.value, abs=2e-3)


def test_settling_in_one_call_takes_the_same_steps(monkeypatch):
    X, _ = measured_twice(3, 4, 150, 0.5)
    U = X[:3]
    for T in (0.05, 0.4, 2.0):
        quick = em_at_temperature(SquaredDistance(), X, U, T)
        monkeypatch.setattr(gibbs_path, "small_k_means", lambda cost, data: False)
        plain = em_at_temperature(SquaredDistance(), X, U, T)
        monkeypatch.undo()
        for one, other in zip(quick, plain):
            np.testing.assert_allclose(one, other, atol=1e-9)


class Renamed(ClusterMixin, BaseEstimator):
    """K-means without centres to show, whose clusters are named anew in every fit."""

    def __init__(self, n_clusters=3, shuffle=True):
        self.n_clusters = n_clusters
        self.shuffle = shuffle

    def fit(self, X, y=None):
        labels = SklearnKMeans(self.n_clusters, n_init=5, random_state=0).fit(X).labels_
        names = np.random.default_rng(int(1e6 * abs(X.sum()))).permutation(self.n_clusters)
        self.labels_ = names[labels] if self.shuffle else labels
        return self


def test_names_of_clusters_and_order_of_rows_do_not_count():
    X, again = measured_twice(3, 3, 90, 0.4)
    named, renamed = (bits_of(Renamed(3, shuffle), X, MeasuredTwice(again)) for shuffle in (False, True))
    assert renamed.score.value == pytest.approx(named.score.value, abs=1e-6)
    order = np.random.default_rng(5).permutation(90)
    for model in (KMeans(3, random_state=0), Renamed(3, False)):
        for pairing, moved in (
            (MeasuredTwice(again), MeasuredTwice(again[order])),
            (SplitObjects(), SplitObjects()),
            (SplitFeatures(), SplitFeatures()),
        ):
            one, other = bits_of(model, X, pairing), bits_of(model, X[order], moved)
            assert one.score.value == pytest.approx(other.score.value, rel=1e-6, abs=1e-9)


def gaussian_groups(rng):
    """Three groups of one profile that differ in size only, with noise of the same scale everywhere."""
    centers = 3 + 1.5 * np.arange(3)[:, None] * np.ones(6)
    return [centers[np.arange(150) % 3] + 1.2 * rng.normal(size=(150, 6)) for _ in range(2)]


def counts_of_varying_size(rng):
    """Three profiles; how often an object was counted differs from one measurement to the next."""
    profiles = rng.dirichlet(np.full(12, 1.0), 3)
    sizes = [np.exp(rng.normal(4, 1.2, 150)).astype(int) + 5 for _ in range(2)]
    return [np.array([rng.multinomial(m, profiles[i % 3]) for i, m in enumerate(s)]).astype(float) for s in sizes]


def angles(rng):
    """Three groups of directions, one of them across 0 = 2π: the plain difference of angles is no dissimilarity."""
    centers = np.array([[0, 0.0], [2.1, 0.0], [0.0, 3.1]])
    return [(centers[np.arange(150) % 3] + 0.45 * rng.normal(size=(150, 2))) % (2 * np.pi) for _ in range(2)]


def around(a, b):
    """The squared chord between directions."""
    return float((4 * np.sin((a - b) / 2) ** 2).sum())


COSTS = {"k-means": KMeans(3), "pairwise": PairwiseClustering(3, metric=around), "histogram": HistogramClustering(3)}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    "data, best", [(gaussian_groups, "k-means"), (counts_of_varying_size, "histogram"), (angles, "pairwise")]
)
def test_the_right_cost_carries_the_most(data, best, seed):
    X, again = data(np.random.default_rng(seed))
    low = min(X.min(), again.min(), 0)
    found = compare(COSTS, X - low, pairing=MeasuredTwice(again - low), random_state=0)
    assert found.best == best, str(found)
    assert found.table[0]["bits"] - found.table[1]["bits"] > 2 * np.hypot(
        found.table[0]["error"], found.table[1]["error"]
    )


def test_comparison_reads_well():
    X, again = measured_twice(3, 3, 120, 0.1)
    models = [KMeans(3), KMeans(1), AgglomerativeClustering(3, linkage="single")]
    found = compare(models, X, pairing=MeasuredTwice(again), random_state=0)
    assert found.names == ["KMeans 1", "KMeans 2", "AgglomerativeClustering"]
    assert [row["bits"] for row in found.table] == sorted((row["bits"] for row in found.table), reverse=True)
    assert found.table[-1]["model"] == "KMeans 2" and found.table[-1]["bits"] == 0
    text = str(found)
    assert text.splitlines()[0].split() == [
        "model",
        "clusters",
        "bits",
        "per",
        "object",
        "±",
        "error",
        "by",
        "chance",
        "temperature",
    ]
    assert len({len(line) for line in text.splitlines()[:4]}) == 1
    assert text.endswith(found.sentence) and "bits an object" in found.sentence
    with pytest.raises(ValueError, match="estimators is empty"):
        compare([], X)


def test_a_cost_itself():
    X, again = measured_twice(2, 2, 8, 0.6)
    D = [make_dissimilarities(((Z[:, None] - Z) ** 2).sum(axis=2)) for Z in (X, again)]
    T = np.geomspace(0.05, 3, 12)
    exact = posterior_agreement(Pairwise(), *D, 2, temperatures=T)
    assert posterior_agreement(SquaredDistance(), X, again, 2, temperatures=T).total == pytest.approx(exact.total)
    T, J = np.geomspace(0.5, 3, 6), make_links(np.zeros((8, 8)))
    fields = [Couplings(J, ((Z[:, None] - np.eye(2)) ** 2).sum(axis=2)) for Z in (X, again)]
    routes = [posterior_agreement(Potts(), *fields, 2, temperatures=T, method="enumerate"),
              posterior_agreement(Potts(), *fields, 2, temperatures=T, method="mean_field", named=True),
              posterior_agreement(SquaredDistance(), X, again, 2, temperatures=T, prototypes=np.eye(2), named=True),
              ]  # fmt: skip
    np.testing.assert_allclose([r.curve for r in routes], [routes[0].curve] * 3, atol=1e-3)
    with pytest.raises(ValueError, match="needs prototypes"):
        posterior_agreement(SquaredDistance(), X, again, 2, method="factorial")
    with pytest.raises(ValueError, match="method='guess'"):
        posterior_agreement(SquaredDistance(), X, again, 2, method="guess")


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_a_cost_itself_by_sampling():
    X, again = measured_twice(2, 2, 7, 0.3)
    T = np.geomspace(0.1, 3, 5)
    exact, found = (posterior_agreement(SquaredDistance(), X, again, 2, temperatures=T, method=m, sweeps=1600)
                    for m in ("enumerate", "sample"))  # fmt: skip
    assert found.score.error > 0
    assert found.score.value == pytest.approx(exact.score.value, abs=4 * found.score.error)


def test_bits_that_are_not_sure_choose_one_cluster_and_ties_the_fewer():
    def seen(value, error, chance=(), most=2.0):
        return AgreementDetails(Score(value, error), 1.0, 100 * value, T, T, most, np.array(chance))

    T = np.ones(1)
    assert preferred([seen(0, 0), seen(0.1, 0.06), seen(0.05, 0.03)], [1, 2, 3]) == 0
    assert preferred([seen(0, 0), seen(0.1, 0.06), seen(0.05, 0.01)], [1, 2, 3]) == 2  # the most bits are not sure
    assert preferred([seen(0, 0), seen(1.0, 0.1), seen(1.05, 0.1)], [1, 2, 3]) == 1
    few, many = (0.1, 0.12, 0.08), (0.6, 0.7, 0.5)  # of a ceiling of 2 bits
    assert preferred([seen(0, 0), seen(1.0, 0.1, few), seen(1.5, 0.1, many)], [1, 2, 3]) == 1
    assert preferred([seen(1.5, 0.1), seen(1.0, 0.1)], [3, 2]) == 0


def test_bits_beyond_chance_are_those_of_adjusted_mutual_information():
    T = np.ones(1)
    for bits, most, shares in ((1.5, 1.5, [0.4, 0.6]), (0.75, 1.5, [0.4, 0.6]), (1.1, 1.5, [0.4, 0.6])):
        seen = AgreementDetails(Score(bits, 0.0), 1.0, 100 * bits, T, T, most, np.array(shares))
        assert seen.chance.value == pytest.approx(0.75)
        assert seen.excess.value == pytest.approx(most * (bits - 0.75) / (most - 0.75))
        assert seen.sure == (bits == 1.5)  # 1.1 is within the spread of chance


def test_more_than_chance_is_judged_by_students_t_and_by_errors():
    shares, T = np.array([0.50, 0.53, 0.46, 0.51, 0.49, 0.52]), np.ones(1)
    lost = np.log(1 - shares + 0.01)
    for asked in (1, 4):
        away = stats.t.ppf(1 - 0.05 / asked, 5) * np.sqrt(1 + 1 / 6) * lost.std(ddof=1)
        for factor, sure in ((0.97, False), (1.03, True)):
            share = 1 + 0.01 - np.exp(lost.mean() - factor * away)
            for error in (0.001, 0.2):
                seen = AgreementDetails(Score(share, error), 1.0, 100 * share, T, T, 1.0, shares, asked)
                assert seen.sure == (sure and error < 0.1)


class AtRandom(ClusterMixin, BaseEstimator):
    """Labels that have nothing to do with the rows."""

    def __init__(self, n_clusters=3, random_state=None):
        self.n_clusters, self.random_state = n_clusters, random_state

    def fit(self, X, y=None):
        self.labels_ = np.random.default_rng(self.random_state).integers(self.n_clusters, size=len(X))
        return self


def test_one_cluster_and_labels_at_random_carry_nothing_and_clear_models_the_same():
    X, _ = blobs(160, 4, 3, random_state=0)
    again = X + 0.1 * np.random.default_rng(0).normal(size=X.shape)
    models = {"three": KMeans(3), "linked": AgglomerativeClustering(3), "one": KMeans(1), "random": AtRandom()}
    for pairing in (SplitObjects(), MeasuredTwice(again)):
        found = compare(models, X, pairing=pairing, n_pairs=2, random_state=0)
        bits = {row["model"]: row["bits"] for row in found.table}
        assert bits["one"] == 0 and bits["random"] < 0.02
        assert bits["three"] == pytest.approx(np.log2(3), abs=0.05) == bits["linked"]


def test_shuffled_objects_carry_nothing():
    # the permutation null: both samples are clear, but which object is which is lost
    X, again = measured_twice(3, 3, 150, 0.1)
    for seed in range(3):
        other = again[np.random.default_rng(seed).permutation(len(again))]
        found = compare([KMeans(3), AgglomerativeClustering(3)], X, pairing=MeasuredTwice(other), random_state=0)
        assert found.best is None and found.table[0]["bits"] < 0.02


def test_rings_are_judged_by_their_labels_not_by_their_means():
    rng = np.random.default_rng(0)
    angle, radius = rng.uniform(0, 2 * np.pi, 160), np.where(np.arange(160) % 2, 1.0, 5.0)
    X = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    again = X + 0.05 * rng.normal(size=X.shape)
    found = compare([AgglomerativeClustering(2, linkage="single")], X, pairing=MeasuredTwice(again), random_state=0)
    assert found.table[0]["bits"] == pytest.approx(1.0, abs=0.02)
