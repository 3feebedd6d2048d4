import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.columns.preparation import prepare
from unmix.exploration.structure.evaluation_set import look_at_rows
from unmix.exploration.structure.one_pair import one_pair

n = 300
letters = np.array(list("abcdefgh"))


def levels(rng, label, k, sure):
    """A category that tells the label where it is sure of it, else any level."""
    return letters[np.where(rng.random(n) < sure, label % k, rng.integers(k, size=n))]


def related_pair(seed, sure=0.9):
    """Two categories that go together, among others that go with nothing."""
    rng = np.random.default_rng(seed)
    state = rng.integers(6, size=n)
    others = {f"q{j}": letters[rng.integers(3 + j, size=n)] for j in range(2)}
    return others | {"state": letters[state], "region": levels(rng, state // 3, 2, sure)}


def classes(seed, n_columns=5):
    rng = np.random.default_rng(seed)
    label = rng.integers(2, size=n)
    return {f"q{j}": levels(rng, label + j, 3, 0.85) for j in range(n_columns)}


def asked(columns):
    prepared = prepare(pl.DataFrame(columns), 0)
    return one_pair(prepared, look_at_rows(prepared, 0), 0)


@pytest.mark.parametrize("seed", range(4))
def test_a_relation_of_two_columns_is_told_from_classes_of_five(seed):
    assert set(asked(related_pair(seed)) or ()) == {"state", "region"}
    assert asked(classes(seed)) is None


@pytest.mark.parametrize("seed", range(4))
def test_a_relation_of_two_columns_is_no_group(seed):
    found = unmix.explore(related_pair(seed)).selection
    assert found.chosen_k == 1 and found.probability < 0.5
    assert "rest on columns 'state' and 'region', which go together" in found.verdict


def test_classes_of_many_columns_are_groups():
    assert [unmix.explore(classes(seed)).selection.chosen_k for seed in range(4)] == [2, 2, 2, 2]


def test_of_two_columns_a_number_may_have_gaps():
    rng = np.random.default_rng(0)
    state = rng.integers(6, size=n)
    region = levels(rng, state // 3, 2, 0.9)
    assert asked({"state": letters[state], "region": region}) == ("state", "region")
    assert asked({"state": letters[state], "height": state + 0.1 * rng.normal(size=n)}) is None


def test_a_number_whose_groups_a_name_tells_is_no_mere_relation():
    rng = np.random.default_rng(1)
    machine = rng.integers(3, size=n)
    weight = 6.0 * machine + rng.normal(size=n)
    other = {f"q{j}": letters[rng.integers(3 + j, size=n)] for j in range(2)}
    assert asked(other | {"machine": levels(rng, machine, 3, 0.9), "weight": weight}) is None
