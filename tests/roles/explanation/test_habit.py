"""Error or habit: likelihoods by integration, parameters by a search, probabilities by counting in planted worlds."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import beta, binom
from sklearn.metrics import roc_auc_score

from unmix.roles import HammingKMeans, improbable_grants
from unmix.roles.explanation.habit import PRIOR_COUNT, Habits, iterate_shares, learn_habits


@pytest.mark.parametrize("spread", [np.inf, 40.0])
def test_posterior_by_integration(spread):
    habits, ones, users = Habits(0.01, 0.05, spread), 3, 16
    likelihood = lambda s: s**ones * (1 - s) ** (users - ones)  # noqa: E731
    noise = likelihood(0.01)
    if np.isfinite(spread):
        noise = quad(lambda s: beta.pdf(s, 0.01 * spread, 0.99 * spread) * likelihood(s), 0, 1, epsabs=0)[0]
    habit = quad(likelihood, 0, 1)[0]
    expected = 0.95 * noise / (0.95 * noise + 0.05 * habit)
    assert habits.noise(np.array(3.0), np.array(16.0)) == pytest.approx(expected, rel=1e-4)
    mean = quad(lambda s: s * likelihood(s), 0, 1)[0] / habit
    both = expected + (1 - expected) * 0.01 / mean
    assert habits.wrong(np.array(3.0), np.array(16.0)) == pytest.approx(both, rel=1e-4)


def test_independent_noise_and_habits_are_told_apart():
    """f and h by EM are those a plain search finds: binomial noise at 2 %, 8 % of the cells habits of any rate."""
    rng = np.random.default_rng(0)
    users = rng.choice([8, 16, 40], 2000).astype(float)
    rate = np.where(rng.random(2000) < 0.08, rng.random(2000), 0.02)
    ones = rng.binomial(users.astype(int), rate).astype(float)

    def cost(logits):
        f, h = 1 / (1 + np.exp(-logits))
        noise, habit = binom.pmf(ones, users, f), 1 / (users + 1)
        prior = PRIOR_COUNT * (np.log(f) + np.log1p(-f) + np.log(h) + np.log1p(-h))
        return -np.log((1 - h) * noise + h * habit).sum() - prior

    best = 1 / (1 + np.exp(-minimize(cost, [-3.0, -3.0], method="Nelder-Mead", options={"xatol": 1e-6}).x))
    found = iterate_shares(ones, users, np.ones(2000), np.inf)
    np.testing.assert_allclose([found.rate, found.share], best, rtol=0.01)
    assert learn_habits(ones, users).rate == pytest.approx(0.02, abs=0.003)


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
