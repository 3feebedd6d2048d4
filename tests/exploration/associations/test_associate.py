"""The whole record, from tables to sentences."""

import json

import numpy as np
import polars as pl
import pytest

import unmix


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    n = 200
    group = np.repeat([0, 1], n // 2)
    city = rng.choice(["Bern", "Basel", "Paris", "Lyon"], n)
    frame = pl.DataFrame(
        {
            "height": 9.0 * group + rng.normal(size=n),
            "weight": 9.0 * group + rng.normal(size=n),
            "noise": rng.normal(size=n),
            "city": city,
            "country": np.where(np.isin(city, ["Bern", "Basel"]), "CH", "FR"),
            "outcome": np.where(rng.random(n) < 0.9, group, 1 - group).astype(str),
        }
    ).with_columns((pl.col("height") * 2.54).alias("height_cm"))
    return unmix.explore(frame, max_k=3, target="outcome")


@pytest.mark.slow_without_jit
def test_the_strongest_pairs_come_first_and_say_how_they_go_together(found):
    pairs = found.associations.pairs
    assert [pair.bits for pair in pairs] == sorted((pair.bits for pair in pairs), reverse=True)
    words = {pair.sentence for pair in pairs}
    assert "height rises with weight, not evenly" in words and "city goes with country" in words  # two clouds
    assert not any("noise" in sentence for sentence in words)
    assert found.associations.n_pairs == 15  # height_cm is height again
    assert found.associations.sentence == f"{len(pairs)} of 15 pairs of columns go together more than by chance."


@pytest.mark.slow_without_jit
def test_columns_that_repeat_others_are_said(found):
    assert found.associations.redundant == [
        "height_cm repeats others: 'height' in another unit.",
        "country follows from city.",
    ]


@pytest.mark.slow_without_jit
def test_a_target_is_compared_with_clusters_and_components(found):
    described = {tuple(item.columns): item for item in found.associations.described}
    assert described["outcome", "the clusters"].p_value < 1e-6
    assert {"outcome", "component 1"} in [set(pair) for pair in described]
    assert not any("city" in pair for pair in described)


@pytest.mark.slow_without_jit
def test_all_of_it_is_json(found):
    record = json.loads(json.dumps(found.to_dict()["associations"]))
    assert record["pairs"][0]["columns"] and record["gaps"] == []


@pytest.mark.slow_without_jit
def test_series_that_follow_each_other_closely_say_so_or_nothing():
    steps = np.random.default_rng(1).normal(size=(200, 3))
    found = unmix.explore(pl.DataFrame(steps.cumsum(axis=0), schema=["a", "b", "c"]), max_k=2)
    assert not found.associations.pairs
    assert "too few to tell" in found.associations.sentence or "None of 3 pairs" in found.associations.sentence


@pytest.mark.slow_without_jit
def test_copies_of_rows_are_no_evidence():
    rows = np.random.default_rng(0).normal(size=(25, 3))
    found = unmix.explore(pl.DataFrame(np.repeat(rows, 4, axis=0), schema=["a", "b", "c"]), max_k=2)
    assert found.associations.sentence == "None of 3 pairs of columns goes together more than by chance."
    assert found.ledger is None  # 25 different rows are too few to hold some out
