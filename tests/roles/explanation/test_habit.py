"""Error or habit: likelihoods by integration, parameters by a search, probabilities by counting in planted worlds."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import binom, poisson
from sklearn.metrics import roc_auc_score

from unmix.roles import HammingKMeans, explain, improbable_grants, mine
from unmix.roles.explanation.habit import Habits, learn_habits, surest


def met(ones, users, rates):
    """Of single, double and triple events, summed over how many there are of each, and no user met twice."""
    distinct = np.prod(1 - np.arange(ones) / users)
    return distinct * sum(
        np.prod([poisson.pmf(k, users * f) for k, f in zip((ones - 2 * two - 3 * three, two, three), rates)])
        for two in range(ones // 2 + 1)
        for three in range((ones - 2 * two) // 3 + 1)
    )


def by_errors(users, rates):
    """The probabilities of 0, 1, …, all users."""
    law = np.array([met(ones, users, rates) for ones in range(users + 1)])
    return law / law.sum()


@pytest.mark.parametrize("ones", [1, 3, 6])
def test_posterior_by_integration_and_by_summing_over_events(ones):
    habits, users = Habits((0.01, 0.004, 0.002), 0.05), 16
    errors = by_errors(users, habits.rates)[ones]
    habit = quad(lambda s: binom.pmf(ones, users, s), 0, 1, epsabs=0)[0]
    expected = 0.95 * errors / (0.95 * errors + 0.05 * habit)
    assert habits.errors(np.array(float(ones)), np.array(16.0)) == pytest.approx(expected, rel=1e-6)
    mean = quad(lambda s: s * binom.pmf(ones, users, s), 0, 1, epsabs=0)[0] / habit
    both = expected + (1 - expected) * (0.01 + 0.008 + 0.006) * (1 - mean) / mean
    assert habits.wrong(np.array(float(ones)), np.array(16.0)) == pytest.approx(both, rel=1e-6)


def test_many_users_make_no_overflow():
    habits = Habits((1e-3, 1e-4, 1e-5), 0.01)
    law = np.exp(habits.log_joint(np.arange(2000.0), np.full(2000, 10**6))[0])
    assert law.sum() == pytest.approx(0.99, abs=1e-6)
    assert np.arange(2000) @ law == pytest.approx(0.99 * 1230, rel=2e-3)
    assert habits.errors(np.array([1230.0, 10**5]), np.array([10.0**6, 10.0**6])).round(3).tolist() == [1.0, 0.0]


def test_errors_shared_errors_and_habits_are_told_apart():
    """The rates and the share by EM are more likely than any with one of them a fifth larger or smaller."""
    rng = np.random.default_rng(0)
    users = rng.choice([8, 16, 30], 2000)
    events = [rng.poisson(users * f) for f in (0.02, 0.005, 0.003)]
    ones = np.minimum(events[0] + 2 * events[1] + 3 * events[2], users)
    ones = np.where(rng.random(2000) < 0.08, rng.binomial(users, rng.random(2000)), ones)
    kinds, count = np.unique(np.column_stack([ones, users]), axis=0, return_counts=True)
    found = learn_habits(*kinds.T.astype(float), count)

    def likelihood(single, double, triple, habit):
        laws = {n: by_errors(n, (single, double, triple)) for n in (8, 16, 30)}
        return count @ np.log([(1 - habit) * laws[n][c] + habit / (n + 1) for c, n in kinds])

    own = np.array([*found.rates, found.share])
    steps = np.concatenate([1 + 0.2 * np.eye(4), 1 - 0.2 * np.eye(4)])
    assert max(likelihood(*(own * step)) for step in steps) < likelihood(*own)
    np.testing.assert_allclose(found.rate, 0.039, rtol=0.15)


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
    # shared errors are looked for where none are, so that the few in the middle are said a little too surely
    for low, high, most in (
        (0, 0.05, 0.01),
        (0.05, 0.4, 0.06),
        (0.4, 0.8, 0.12),
        (0.8, 0.95, 0.05),
        (0.95, 1.01, 0.01),
    ):
        some = (p >= low) & (p < high)
        assert some.sum() > 100 and abs(p[some].mean() - wrong[some].mean()) < most
