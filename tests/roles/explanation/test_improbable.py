"""Wrong grants planted are ranked first, missing ones too, and misfits are named."""

import numpy as np
import pytest

from unmix.datasets import planted_roles
from unmix.roles import (
    DiscreteBasis,
    HammingKMeans,
    MultiAssignmentClustering,
    improbable_grants,
    misfits,
    missing_grants,
)
from unmix.roles.explanation.habit import learn_habits
from unmix.roles.explanation.improbable import _tail


def with_wrong_grants(seed, n_wrong=50):
    table = planted_roles(400, 80, 6, noise=0.03, noise_granted=0.0, random_state=seed)
    X = table.X.copy()
    wrong = np.random.default_rng(seed).choice(np.flatnonzero(table.clean == 0), n_wrong, replace=False)
    X.flat[wrong] = 1
    return X, table, {(int(w) // 80, int(w) % 80) for w in wrong}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", range(5))
def test_planted_wrong_grants_come_first(seed):
    X, table, wrong = with_wrong_grants(seed)
    model = MultiAssignmentClustering(6, random_state=0).fit(X)
    first = improbable_grants(model, X, most=100)
    assert len({(e.user, e.permission) for e in first} & wrong) >= 45
    lost = missing_grants(model, X, most=100)
    assert np.mean([table.clean[e.user, e.permission] for e in lost]) >= 0.9
    assert all(X[e.user, e.permission] == 1 for e in first) and all(X[e.user, e.permission] == 0 for e in lost)


def test_probabilities_fall_and_a_habit_of_the_group_is_no_error():
    X = np.repeat([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0]], 40, axis=0)
    X[:15, 5] = 1  # 15 of 40 users of the first role
    X[60, 5] = 1  # one of 40 of the second
    ranked = improbable_grants(HammingKMeans(2, random_state=0).fit(X), X)
    assert (ranked[0].user, ranked[0].permission, ranked[0].having, ranked[0].peers) == (60, 5, 0, 39)
    # three cells outside the first role, four outside the second: 15 and 1 of 40 in two of them
    habits = learn_habits(np.array([15.0, 1.0, 0.0]), np.full(3, 40.0), np.array([1.0, 1.0, 5.0]))
    expected = habits.wrong(np.array([1.0, 15.0]), np.full(2, 40.0))
    assert np.allclose([ranked[0].probability, ranked[1].probability], expected)
    assert ranked[0].probability > 0.9 > 0.05 > ranked[1].probability
    assert [e.probability for e in ranked] == sorted((e.probability for e in ranked), reverse=True)


@pytest.mark.slow_without_jit
def test_risk_weighs_the_ranking():
    X, _, _ = with_wrong_grants(0)
    model = DiscreteBasis(6).fit(X)
    risk = np.ones(80)
    risk[7] = 100.0
    ranked = improbable_grants(model, X, risk=risk)
    assert ranked[0].permission == 7 and np.isclose(ranked[0].risk, 100 * ranked[0].probability)
    with pytest.raises(ValueError, match="80 permissions"):
        improbable_grants(model, X, risk=[1.0])


def test_reasons_in_words():
    X = np.array([[1, 1, 0, 0]] * 5 + [[0, 0, 1, 1]] * 2)
    X[0, 3], X[5, 1] = 1, 1
    model = HammingKMeans(2, random_state=0).fit(X)
    reasons = {(e.user, e.permission): e.reason for e in improbable_grants(model, X)}
    assert reasons[0, 3] == "none of the 4 other users with the same role has it"
    assert reasons[5, 1] == "the only other user with the same role does not have it"


@pytest.mark.slow_without_jit
def test_users_who_fit_no_role():
    table = planted_roles(200, 60, 4, noise=0.04, random_state=0)
    X = table.X.copy()
    X[17] = np.random.default_rng(1).random(60) < 0.5
    X[23] = 1 - table.roles.any(axis=0)
    for model in (MultiAssignmentClustering(4, random_state=0).fit(X), DiscreteBasis(4).fit(X)):
        found = misfits(model, X)
        assert {m.user for m in found} == {17, 23}
        assert all(m.deviations > 3 * m.expected and m.p_value < 1e-4 for m in found)
    assert misfits(MultiAssignmentClustering(4, random_state=0).fit(table.X), table.X) == []


@pytest.mark.parametrize(
    "first, second", [((5, 0.3), (7, 0.1)), ((0, 0.5), (4, 0.2)), ((6, 0.0), (0, 0.3)), ((3, 1.0), (9, 0.4))]
)
def test_the_tail_of_two_binomials_adds_up_their_laws(first, second):
    from scipy.stats import binom

    both = np.convolve(*(binom.pmf(np.arange(n + 1), n, p) for n, p in (first, second)))
    for least in range(first[0] + second[0] + 2):
        assert _tail(least, first, second) == pytest.approx(both[least:].sum(), abs=1e-14, rel=1e-12)
