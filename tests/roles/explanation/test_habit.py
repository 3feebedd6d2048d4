"""Error or habit: likelihoods by integration, parameters by a search, probabilities by counting in planted worlds."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import comb
from scipy.stats import beta, binom
from sklearn.metrics import roc_auc_score

from unmix.roles import HammingKMeans, explain, improbable_grants, mine
from unmix.roles.explanation.habit import Habits, iterate_shares, learn_habits, surest

COPIED = ((2, 0.75), (3, 0.25))  # users with the same error, and how often


@pytest.mark.parametrize("shape", [1.0, 0.25])
def test_posterior_by_integration_and_by_summing_over_who_copied(shape):
    habits, ones, users = Habits(0.01, 0.05, 0.02, shape), 3, 16
    likelihood = lambda s: s**ones * (1 - s) ** (users - ones)  # noqa: E731
    orders = comb(users, ones)
    noise = binom.pmf(ones, users, 0.01) / orders
    copied = sum(g * binom.pmf(ones - z, users - z, 0.01) for z, g in COPIED) / orders
    habit = quad(lambda s: beta.pdf(s, shape, 1) * likelihood(s), 0, 1, epsabs=0)[0]
    expected = (0.93 * noise + 0.02 * copied) / (0.93 * noise + 0.02 * copied + 0.05 * habit)
    assert habits.noise(np.array(3.0), np.array(16.0)) == pytest.approx(expected, rel=1e-6)
    mean = quad(lambda s: s * beta.pdf(s, shape, 1) * likelihood(s), 0, 1, epsabs=0)[0] / habit
    both = expected + (1 - expected) * 0.01 / mean
    assert habits.wrong(np.array(3.0), np.array(16.0)) == pytest.approx(both, rel=1e-6)


@pytest.mark.parametrize("habits", [Habits(0.03, 0.1, 0.05), Habits(0.2, 0.3, 0.1, 0.5)])
def test_the_three_laws_sum_to_one_over_all_counts(habits):
    ones = np.arange(10.0)
    total = np.exp(habits.log_joint(ones, np.full(10, 9.0))) * comb(9, ones)
    np.testing.assert_allclose(total.sum(axis=1), [1 - habits.share - habits.copied, habits.copied, habits.share])


def test_noise_copies_and_habits_are_told_apart():
    """f and the shares by EM are those a plain search finds: noise at 2 %, habits of any rate, shared errors."""
    rng = np.random.default_rng(0)
    users = rng.choice([8, 16, 40], 3000).astype(float)
    kind = rng.choice(3, 3000, p=[0.87, 0.05, 0.08])
    ones = rng.binomial(users.astype(int), np.where(kind == 2, rng.random(3000), 0.02)).astype(float)
    copies = rng.choice([z for z, _ in COPIED], 3000, p=[g for _, g in COPIED])
    ones = np.where(kind == 1, np.minimum(ones + copies, users), ones)

    def cost(logits):
        f, h, q = 1 / (1 + np.exp(-logits))
        copied = sum(g * binom.pmf(ones - z, users - z, f) for z, g in COPIED)
        return -np.log((1 - h - q) * binom.pmf(ones, users, f) + q * copied + h / (users + 1)).sum()

    best = 1 / (1 + np.exp(-minimize(cost, [-3.0, -3.0, -3.0], method="Nelder-Mead", options={"xatol": 1e-6}).x))
    found = iterate_shares(ones, users, np.ones(3000), 1.0)
    np.testing.assert_allclose([found.rate, found.share, found.copied], best, rtol=0.03)
    assert learn_habits(ones, users).rate == pytest.approx(0.02, abs=0.003)


def test_few_peers_never_make_sure():
    assert (surest(np.array([0, 1, 2])) <= 0.95).all()
    X = np.kron(np.eye(8, dtype=bool), np.ones((3, 5), bool))
    X[0, 20] = True
    told = explain(mine(X)).exceptions
    assert [(entry.user, entry.permission, entry.peers) for entry in told] == [(0, 20, 2)]
    assert 0.5 < told[0].probability <= 0.95


@pytest.mark.parametrize(("ones", "users", "others"), [(2, 16, 180), (3, 100, 100), (2, 100, 400), (2, 16, 2000)])
def test_few_of_many_peers_are_a_likely_error(ones, users, others):
    cells = np.array([0.0, ones]), np.full(2, float(users)), np.array([float(others), 1.0])
    assert learn_habits(*cells).wrong(np.array([float(ones)]), np.array([float(users)]))[0] > 0.5


def test_many_of_many_peers_are_a_habit():
    cells = np.array([0.0, 10.0]), np.full(2, 40.0), np.array([180.0, 1.0])
    assert learn_habits(*cells).wrong(np.array([10.0]), np.array([40.0]))[0] < 0.05


def world(n_groups, size, rate, habits, copied, seed):
    """Groups of equal users with 60 permissions, habits of any rate, errors at a rate and some copied to 2 or 3."""
    rng = np.random.default_rng(seed)
    roles, place = rng.random((n_groups, 60)) < 0.25, np.repeat(np.arange(n_groups), size)
    custom = np.where(rng.random(roles.shape) < habits, rng.random(roles.shape), 0.0)
    habit = rng.random((len(place), 60)) < custom[place]
    wrong = rng.random(habit.shape) < rate
    for _ in range(copied):
        group, permission = rng.integers(n_groups), rng.integers(60)
        wrong[group * size + rng.choice(size, rng.integers(2, 4), replace=False), permission] = True
    outside = ~roles[place]
    wrong &= outside & ~habit
    return (roles[place] | habit | wrong).astype(float), roles, wrong, (habit | wrong) & outside


def test_probabilities_are_calibrated_and_rank():
    """Errors shared by 1, 2 and 3 among 8 to 100 peers at noise of 0.1 to 5 %, with habits and without."""
    probability, truth = [], []
    for seed, (size, rate, habits) in enumerate(
        (size, rate, habits) for size in (8, 16, 40, 100) for rate in (0.001, 0.01, 0.05) for habits in (0.0, 0.02, 0.1)
    ):
        X, roles, wrong, odd = world(max(4, 300 // size), size, rate, habits, 8 if rate < 0.01 else 0, seed)
        model = HammingKMeans(len(roles), n_init=1, random_state=0).fit(X)
        model.roles_ = roles.astype(float)  # the roles are known: it is the judgement of grants that is asked for
        found = np.zeros(X.shape)
        for entry in improbable_grants(model, X):
            found[entry.user, entry.permission] = entry.probability
        probability.append(found[odd])
        truth.append(wrong[odd])
    p, wrong = np.concatenate(probability), np.concatenate(truth)
    assert roc_auc_score(wrong, p) > 0.985
    assert np.mean((p - wrong) ** 2) < 0.03
    for low, high in ((0, 0.05), (0.05, 0.4), (0.4, 0.8), (0.8, 0.95), (0.95, 1.01)):
        some = (p >= low) & (p < high)
        assert some.sum() > 100 and abs(p[some].mean() - wrong[some].mean()) < 0.08
