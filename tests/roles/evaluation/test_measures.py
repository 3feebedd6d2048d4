"""The measures on examples worked by hand, and generalization on unseen users."""

from itertools import permutations

import numpy as np
import pytest

from unmix.datasets import planted_roles
from unmix.roles import (
    DiscreteBasis,
    FastMiner,
    HammingKMeans,
    MultiAssignmentClustering,
    RoundedSVD,
    SVDDenoiser,
    coverage,
    deviating,
    deviation,
    generalization,
    match_roles,
    pareto_front,
    role_distance,
    select_n_roles,
    stability,
    weighted_structural_complexity,
)

X = np.array([[1, 1, 0, 0], [1, 0, 1, 0]])
GUESS = np.array([[1, 0, 0, 1], [1, 0, 1, 1]])


def test_reconstruction_by_hand():
    assert deviation(X, GUESS) == 3 / 8
    assert coverage(X, GUESS) == 3 / 4
    assert deviating(X, GUESS, 1) == 1 / 4  # one of four ones is lost
    assert deviating(X, GUESS, 0) == 2 / 4  # two of four zeros are granted
    ones, zeros = X.mean(), 1 - X.mean()
    assert np.isclose(deviation(X, GUESS), ones * deviating(X, GUESS, 1) + zeros * deviating(X, GUESS, 0))
    assert coverage(np.zeros((2, 2)), np.ones((2, 2))) == 1
    with pytest.raises(ValueError, match="shape"):
        deviation(X, GUESS[:1])
    with pytest.raises(ValueError, match="value=2"):
        deviating(X, GUESS, 2)


def test_role_distance_is_the_best_permutation():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (4, 9)), rng.integers(0, 2, (4, 9))
    brute = min(np.abs(a - b[list(p)]).mean() for p in permutations(range(4)))
    assert np.isclose(role_distance(a, b), brute)
    assert role_distance(a, a[[2, 0, 3, 1]]) == 0
    first, second = match_roles(a, a[[2, 0, 3, 1]])
    assert np.array_equal(a[first], a[[2, 0, 3, 1]][second])
    assert role_distance(a, a[:3]) == a[3].sum() / 36  # the role without partner


def test_complexity_by_hand():
    roles, held = [[1, 1, 0, 0], [0, 0, 1, 0]], [[1, 0], [1, 1]]
    # 2 roles, 3 assignments, 3 permissions; the product is 1100, 1110 and differs from X in one place
    assert weighted_structural_complexity(roles, held) == 2 + 3 + 3
    assert weighted_structural_complexity(roles, held, X) == 2 + 3 + 3 + 1
    assert weighted_structural_complexity(roles, held, X, weights=(10, 0, 1, 100)) == 20 + 3 + 100


def test_front_keeps_what_nothing_beats():
    n_roles, errors = [3, 1, 2, 3, 5, 4], [4, 9, 9, 3, 0, 3]
    front = pareto_front(n_roles, errors)
    assert [(n_roles[i], errors[i]) for i in front] == [(1, 9), (3, 3), (5, 0)]


def test_generalization_by_hand():
    model = HammingKMeans(2, random_state=0).fit([[1, 1, 1, 1, 0, 0, 0, 0]] * 3 + [[0, 0, 0, 0, 1, 1, 1, 1]] * 3)
    new = [[1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]]
    assert generalization(model, new) == (0, 0, 0)
    wide = generalization(model, np.array([[1, 1, 1, 1, 1, 0, 0, 0]] * 2), shown=0.75, n_repeats=40)
    assert wide.over == 0 and np.isclose(wide.under, 1 / 8, atol=0.05)  # the fifth permission, when it is hidden
    lean = generalization(model, np.array([[1, 1, 1, 0, 0, 0, 0, 0]] * 2), shown=0.75, n_repeats=40)
    assert lean.under == 0 and np.isclose(lean.over, 1 / 8, atol=0.05)
    for result in (wide, lean):
        assert np.isclose(result.error, result.over + result.under)


def test_generalization_refuses_what_it_cannot_do():
    model = DiscreteBasis(1).fit(X)
    with pytest.raises(ValueError, match="shown=1"):
        generalization(model, X, shown=1)
    with pytest.raises(ValueError, match="two or more"):
        generalization(DiscreteBasis(1).fit([[1], [0]]), [[1]])


@pytest.mark.slow_without_jit
def test_roles_with_noise_generalize_best():
    table = planted_roles(400, 60, 5, noise=0.3, random_state=4)
    models = [
        MultiAssignmentClustering(5, random_state=0),
        FastMiner(5, rank="cover"),
        HammingKMeans(5, random_state=0),
        RoundedSVD(5),
        SVDDenoiser(random_state=0),
    ]
    errors = [generalization(m.fit(table.X[:200]), table.X[200:], truth=table.clean[200:]).error for m in models]
    assert np.argmin(errors) == 0 and errors[0] < 0.06


@pytest.mark.slow_without_jit
def test_number_of_roles_by_generalization():
    table = planted_roles(250, 50, 4, noise=0.1, random_state=1)
    chosen = select_n_roles(DiscreteBasis(), table.X, range(2, 7), n_folds=3)
    assert chosen.n_roles == 4 and chosen.candidates == [2, 3, 4, 5, 6] and chosen.errors.shape == (5, 3)
    assert role_distance(table.roles, chosen.estimator.roles_) == 0
    with pytest.raises(ValueError, match="candidates"):
        select_n_roles(DiscreteBasis(), table.X, [])
    with pytest.raises(ValueError, match="n_folds=5"):
        select_n_roles(DiscreteBasis(), X)


@pytest.mark.slow_without_jit
def test_planted_roles_are_stable_and_noise_is_not():
    table = planted_roles(400, 40, 4, max_roles_per_user=2, noise=0.05, random_state=0)
    noise = (np.random.default_rng(0).random((200, 40)) < 0.4).astype(float)
    assert stability(DiscreteBasis(4), table.X, n_repeats=3) < 0.01
    assert stability(DiscreteBasis(3), noise, n_repeats=3) > 0.1
