"""Roles by the shortest description: against enumeration where tables are tiny, against planted roles where large."""

from itertools import combinations

import numpy as np
import pytest
from scipy.sparse import csr_array

from unmix.roles import Access, explain, mine
from unmix.roles.description.assignment import assign, granted_by, measured
from unmix.roles.description.choice import Uncovered, choose
from unmix.roles.description.code_length import Rates, count_rates, entropy, membership_cost, role_cost
from unmix.roles.description.comparison import compare_fits
from unmix.roles.description.fit import shortest_description
from unmix.roles.description.infer import infer_by_description
from unmix.roles.description.limits import NO_LIMITS
from unmix.roles.description.membership import Memberships, plain_prices
from unmix.roles.description.refinement import refit_roles, without_needless
from unmix.roles.description.task import Task
from unmix.roles.problem.budget import Budget

RATES = Rates(0.05, 0.02)


def free_task(n):
    """For n users without attributes, limits or an end."""
    return Task(Memberships(n), NO_LIMITS, Budget(None))


def planted(n=400, d=120, k=10, noise=0.02, seed=0, common=6):
    """Users with one to three of k roles of ten permissions, and all with `common` ones; then errors of both kinds."""
    rng = np.random.default_rng(seed)
    roles = np.zeros((k + 1, d))
    roles[0, :common] = 1
    for role in roles[1:]:
        role[common + rng.choice(d - common, 10, replace=False)] = 1
    held = np.zeros((n, k + 1))
    held[:, 0] = 1
    for row in held:
        row[1 + rng.choice(k, rng.integers(1, 4), replace=False)] = 1
    clean = (held @ roles > 0.5).astype(float)
    X = clean.copy()
    ones, zeros = np.argwhere(clean == 1), np.argwhere(clean == 0)
    wrong = round(noise * len(ones))
    X[tuple(ones[rng.choice(len(ones), wrong, replace=False)].T)] = 0
    X[tuple(zeros[rng.choice(len(zeros), wrong, replace=False)].T)] = 1
    return X, clean, roles


def bits_of_user(row, roles, held, cost, rates=RATES):
    """The definition: covered ones save, covered zeros and assignments cost."""
    covered = (held @ roles > 0.5).astype(float)
    return rates.reward * (covered @ row) - rates.penalty * (covered @ (1 - row)) - held @ cost


@pytest.mark.parametrize("seed", range(4))
def test_users_get_nearly_the_best_of_all_role_sets_and_no_single_change_saves_bits(seed):
    rng = np.random.default_rng(seed)
    roles, X = (rng.random((6, 15)) < 0.35).astype(float), (rng.random((60, 15)) < 0.5).astype(float)
    users = np.array([30, 5, 5, 10, 2, 20])
    cost = membership_cost(users, 60)
    held = assign(csr_array(X), csr_array(roles), RATES, plain_prices(users, 60)).toarray()
    sets = [np.isin(np.arange(6), some) * 1.0 for size in range(7) for some in combinations(range(6), size)]
    best = np.array([max(bits_of_user(row, roles, some, cost) for some in sets) for row in X])
    found = np.array([bits_of_user(row, roles, mine_, cost) for row, mine_ in zip(X, held)])
    assert found.sum() > 0.97 * best.sum()
    assert (found <= best + 1e-9).all()
    for row, some in zip(X, held):
        for k in range(6):
            other = some.copy()
            other[k] = 1 - other[k]
            assert bits_of_user(row, roles, other, cost) <= bits_of_user(row, roles, some, cost) + 1e-9


def test_a_barred_role_is_given_to_nobody():
    X, _, roles = planted(60)
    held = assign(csr_array(X), csr_array(roles), RATES, plain_prices(np.full(11, 20), 60), barred=0).toarray()
    assert not held[:, 0].any()
    assert held[:, 1:].any()


def test_gains_of_candidates_are_those_of_the_definition():
    rng = np.random.default_rng(1)
    X, wanted = (rng.random((40, 12)) < 0.4).astype(float), (rng.random((9, 12)) < 0.4).astype(float)
    covered = (rng.random((40, 12)) < 0.2) * X
    table = Uncovered(csr_array(X), csr_array(wanted), RATES, csr_array(covered))
    found = table.gains(np.arange(9))
    for candidate, gain in zip(wanted, found):
        saved = RATES.reward * ((X - covered) @ candidate) - RATES.penalty * ((1 - X) @ candidate)
        cost = membership_cost((saved > 0).sum(), 40)
        assert gain == pytest.approx(np.maximum(saved - cost, 0).sum() - role_cost(candidate.sum(), 12), abs=1e-9)


def test_roles_are_chosen_greedily_as_if_every_gain_were_counted_at_every_turn():
    X, _, roles = planted(80, 40, 5)
    rng = np.random.default_rng(0)
    wanted = csr_array(
        np.concatenate([roles, np.minimum(roles[[1, 2]] + roles[[3, 4]], 1), (rng.random((6, 40)) < 0.2)])
    )
    table, plain = Uncovered(csr_array(X), wanted, RATES), []
    while (gains := table.gains(np.arange(wanted.shape[0]))).max() > 0:
        plain.append(int(gains.argmax()))
        table.cover(plain[-1])
    chosen = choose(csr_array(X), wanted, RATES, Budget(None)).toarray()
    np.testing.assert_array_equal(chosen, wanted.toarray()[plain])


def test_the_length_is_the_sum_of_its_parts():
    X, _, roles = planted(50, 40, 4)
    held = assign(csr_array(X), csr_array(roles), RATES, plain_prices(np.full(5, 10), 50))
    found = measured(csr_array(X), csr_array(roles), held)
    granted = held.toarray() @ roles > 0.5
    cells = [(granted & (X == 0)).sum(), granted.sum(), (~granted & (X == 1)).sum(), (~granted).sum()]
    expected = cells[1] * entropy(cells[0] / cells[1]) + cells[3] * entropy(cells[2] / cells[3])
    expected += sum(40 * entropy(role.mean()) for role in roles)
    expected += sum(50 * entropy(column.mean()) for column in held.toarray().T)
    assert found.bits(csr_array(X)) == pytest.approx(expected)
    assert found.rates(csr_array(X)) == count_rates(X.sum(), cells[1], cells[1] - cells[0], X.size)


def test_a_role_is_refitted_to_what_its_holders_have():
    X, _, roles = planted(noise=0.01)
    damaged = roles.copy()
    damaged[1, np.flatnonzero(roles[1])[0]] = 0
    held = assign(csr_array(X), csr_array(damaged), RATES, plain_prices(np.full(11, 60), 400))
    found = measured(csr_array(X), csr_array(damaged), held)
    np.testing.assert_array_equal(refit_roles(csr_array(X), found, RATES, free_task(400)).toarray(), roles)


def test_a_role_that_others_replace_goes():
    X, _, roles = planted(noise=0.01)
    more = csr_array(np.concatenate([roles, [np.minimum(roles[2] + roles[3], 1)]]))
    found = measured(csr_array(X), more, assign(csr_array(X), more, RATES, plain_prices(np.full(12, 60), 400)))
    kept = without_needless(csr_array(X), found, RATES, free_task(400))
    np.testing.assert_array_equal(kept.roles.toarray(), roles)


@pytest.mark.parametrize("noise", [0.0, 0.02, 0.05])
@pytest.mark.parametrize("seed", range(3))
def test_planted_roles_and_what_users_should_have_are_found(noise, seed):
    X, clean, roles = planted(noise=noise, seed=seed)
    found = shortest_description(csr_array(X), 0, free_task(len(X)))
    truth = measured(
        csr_array(X),
        csr_array(roles),
        assign(csr_array(X), csr_array(roles), RATES, plain_prices(np.full(11, 80), 400)),
    )
    assert found.bits(csr_array(X)) < 1.002 * truth.bits(csr_array(X))
    same = {tuple(row) for row in found.roles.toarray()} & {tuple(row) for row in roles}
    assert len(same) >= 10
    assert found.roles.shape[0] == 11
    wrong = np.abs(granted_by(found.held, found.roles).toarray() - clean).sum()
    assert wrong <= 0.02 * np.abs(X - clean).sum()


def test_noise_alone_has_no_roles():
    X = (np.random.default_rng(0).random((300, 80)) < 0.05).astype(float)
    assert shortest_description(csr_array(X), 0, free_task(len(X))).roles.shape[0] == 0


def access_of(X):
    return Access([f"u{i}" for i in range(len(X))], [f"p{j}" for j in range(X.shape[1])], csr_array(X > 0))


def test_planted_errors_are_listed_first_with_how_many_holders_of_the_role_agree():
    X, clean, _ = planted(noise=0.02)
    found = infer_by_description(access_of(X), Budget(None), 0)
    assert found.verify()
    assert not found.proven
    listed = explain(found).exceptions
    errors = {(f"u{i}", f"p{j}") for i, j in np.argwhere(clean != X)}
    first = {(entry.user, entry.permission) for entry in listed[: len(errors)]}
    assert len(first & errors) >= 0.98 * len(errors)
    assert all(entry.peers > 18 for entry in listed if entry.probability > 0.99)


def test_a_habit_of_a_role_is_no_error():
    X, clean, roles = planted(noise=0.01)
    holders = np.flatnonzero((clean @ roles[1]) == roles[1].sum())
    free = np.flatnonzero(clean[holders].sum(axis=0) == 0)[0]
    X[holders[: len(holders) // 3], free] = 1  # a third of the holders of one role, no role of its own
    single = np.flatnonzero(clean[:, free] == 0)
    single = single[~np.isin(single, holders)][0]
    X[single, free] = 1
    found = infer_by_description(access_of(X), Budget(None), 0)
    wrong = {(entry.user, entry.permission): entry.probability for entry in explain(found).exceptions}
    assert wrong[f"u{single}", f"p{free}"] > 0.9
    assert all(wrong.get((f"u{i}", f"p{free}"), 0.0) < 0.5 for i in holders[: len(holders) // 3])


def test_large_tables_are_inferred_by_description_and_the_time_limit_leaves_an_answer():
    X, clean, _ = planted(6000, 400, 20, noise=0.01)
    found = mine(access_of(X), "infer")
    assert found.bits < 0.3 * found.bits_without
    assert found.value == np.abs(X - clean).sum()
    assert "inferred, not proven" in found.certificate
    soon = mine(access_of(X), "infer", time_limit=0.05)
    assert soon.verify()
    assert soon.bits <= soon.bits_without


@pytest.mark.long
def test_exact_roles_fit_clean_data_and_inference_data_with_errors():
    X, clean, _ = planted(noise=0.02)
    exact, inferred = (mine(access_of(table), "auto", time_limit=10) for table in (clean, X))
    assert exact.proven
    assert exact.verify()
    assert not exact.exceptions
    assert inferred.value == np.abs(X - clean).sum()
    fit = compare_fits(mine(access_of(X), time_limit=1), inferred)
    assert fit.better == "infer"
    assert fit.infer == pytest.approx(inferred.bits)
    assert "errors" in fit.sentence


def test_what_most_users_have_alone_is_no_error():
    everybody = [(f"u{i}", "mail") for i in range(8)]
    own = [(f"u{i}", f"p{j}") for i, j in enumerate((0, 0, 0, 1, 1, 1, 2, 2))] + [(f"u{i}", "w") for i in (3, 4, 5)]
    inferred = infer_by_description(Access.of_pairs(everybody + own), Budget(None), 0)
    assert inferred.value > len(everybody)  # one role that everybody has, and more single grants than it gives
    fit = compare_fits(mine(Access.of_pairs(everybody + own)), inferred)
    assert fit.better == "cover"
    assert fit.sentence == "Exact roles fit: no errors can be told from the rest."


def test_with_limits_the_fitting_roles_are_exact():
    X, _, _ = planted(60, 40, 4, noise=0.02)
    found = mine(access_of(X), "auto", max_roles_per_user=5, time_limit=5)
    assert np.diff(found.user_roles.indptr).max() <= 5
    assert found.verify()


@pytest.mark.parametrize(
    "pairs", [["ax"], ["ax", "bx"], ["ax", "by"], ["aa", "ab", "bb", "bc"], ["ax", "ay", "bx", "by", "cx"]], ids="".join
)
def test_tiny_tables_have_an_answer_that_holds(pairs):
    found = mine(Access.of_pairs([tuple(pair) for pair in pairs]), "auto", time_limit=5)
    assert found.verify()
    assert not found.exceptions  # what nobody shares is no error
    assert infer_by_description(found.access, Budget(None), 0).verify()


def test_where_everybody_has_a_role_of_each_kind_these_roles_are_found():
    """In three of four tables the description is no longer than the planted one, and nowhere by a fifth."""
    lengths = np.array([of_kinds(seed) for seed in range(4)])
    assert (lengths[:, 0] <= 1.001 * lengths[:, 1]).sum() >= 3
    assert (lengths[:, 0] <= 1.2 * lengths[:, 1]).all()


def of_kinds(seed, n=280, d=130):
    """Bits as found, and of the planted departments, levels and sites, under one error in a thousand."""
    rng = np.random.default_rng(seed)
    sizes = (6, 3, 4)
    roles = np.zeros((sum(sizes), d))
    for role in roles:
        role[rng.choice(d, rng.integers(3, 12), replace=False)] = 1
    held = np.concatenate([np.eye(k)[rng.choice(k, n, p=rng.dirichlet(np.full(k, 3.0)))] for k in sizes], axis=1)
    X = csr_array((held @ roles > 0) ^ (rng.random((n, d)) < 0.001), dtype=np.float64)
    access = Access([f"u{i}" for i in range(n)], [f"p{j}" for j in range(d)], X.astype(bool))
    return mine(access, "infer", max_roles_per_user=15).bits, measured(X, csr_array(roles), csr_array(held)).bits(X)
