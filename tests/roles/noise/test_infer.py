"""The number of roles: searched beyond ten while more predict better, told on the way; what cannot be is refused."""

import numpy as np
import pytest

from unmix.roles import HammingKMeans, explain, mine
from unmix.roles.noise.infer import next_n_roles, smallest_near
from unmix.roles.problem import budget


@pytest.mark.parametrize("best", [1, 2, 3, 5, 8, 11, 23, 37, 64])
def test_the_search_ends_at_the_least_of_a_valley(best):
    """Errors that fall to a least and rise after it, by more than a twentieth a step."""
    errors, number = {}, 1
    while number is not None:
        assert number not in errors
        errors[number] = 1.2 ** abs(number - best)
        number = next_n_roles(errors, 100)
    assert smallest_near(errors) == best
    assert len(errors) <= 18


def test_the_search_stays_within_the_most():
    assert next_n_roles({1: 0.5}, 1) is None
    assert next_n_roles({1: 0.5, 2: 0.4, 4: 0.2}, 5) == 5


class Quick(HammingKMeans):
    """One role a user, which is all these data need, in no time."""

    noise_ = 0.0


def test_more_than_ten_roles_are_found_and_the_search_is_told(monkeypatch):
    monkeypatch.setattr("unmix.roles.noise.infer.MultiAssignmentClustering", Quick)
    pairs = [(f"u{i}", f"{i % 12}:{k}") for i in range(60) for k in range(4)]
    said = []
    found = mine(pairs, "infer", observe=said.append)
    assert len(found.roles) == 12
    assert {1, 2, 4, 8, 16, 12} <= set(found.tried)
    assert said[0] == "predicting users left out with 1 role"
    assert all(words.startswith("predicting users left out with ") for words in said)
    assert "best so far" in said[1]


class Clock:
    now = 0.0

    def monotonic(self):
        return self.now


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("most", [None, 5])
def test_numbers_tried_before_the_time_was_over_do_not_limit_the_answer(most, monkeypatch):
    """Twelve roles; by a clock that the models move, there is time for one, two and four of them."""
    clock = Clock()

    class Slow(Quick):
        def fit(self, X, y=None):
            clock.now += 5.0
            return super().fit(X)

    monkeypatch.setattr("unmix.roles.noise.infer.MultiAssignmentClustering", Slow)
    monkeypatch.setattr(budget, "time", clock)
    pairs = [(f"u{i}", f"{i % 12}:{k}") for i in range(60) for k in range(4)]
    said = []
    found = mine(pairs, "infer", time_limit=100.0, most_roles=most, observe=said.append)
    assert "with 4 roles" in said[2] and clock.now < 60
    assert len(found.roles) == most or (most is None and len(found.roles) == 12)


@pytest.mark.parametrize(
    "asked",
    [{"delta": 3}, {"objective": "wsc"}],
)
def test_what_inference_cannot_do_is_refused(asked):
    with pytest.raises(ValueError, match=r"problem=.fewest. for delta, .cover. for others"):
        mine([("u", "a"), ("v", "b")], "infer", **asked)


@pytest.mark.slow_without_jit
def test_a_wrong_grant_that_two_of_sixteen_peers_share_is_a_likely_exception():
    X = np.kron(np.eye(4, dtype=bool), np.ones((16, 6), bool))
    wrong = {(3, 20), (7, 20), (40, 2), (60, 10)}
    X[tuple(np.array(sorted(wrong)).T)] = True
    X[16:25, 23] = True  # nine of sixteen: a habit
    told = explain(mine(X, "infer", n_roles=4)).exceptions
    found = {(entry.user, entry.permission): entry.probability for entry in told}
    assert all(found[pair] > 0.8 for pair in wrong)
    assert all(found.get((user, 23), 0.0) < 0.1 for user in range(16, 25))


@pytest.mark.parametrize(
    "pairs, words", [([("a", "x"), ("a", "y")], "no entry deviates from 2 grants"), ([("a", "x")], "from 1 grant")]
)
def test_data_without_a_deviation_are_not_said_to_be_half_noise(pairs, words):
    said = mine(pairs, "infer").certificate
    assert said.endswith(words)
