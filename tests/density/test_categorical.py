"""Categorical distributions against counts made by hand."""

import itertools

import numpy as np
import pandas
import pytest
from scipy.stats import chisquare

import unmix
from unmix.density import Categorical

COLOURS = np.array([["red", "s"], ["red", "m"], ["blue", "s"], ["red", "l"]])


def test_probabilities_are_shares():
    model = Categorical().fit(COLOURS)
    assert [c.tolist() for c in model.categories_] == [["blue", "red"], ["l", "m", "s"]]
    np.testing.assert_allclose(np.concatenate(model.probabilities_), [0.25, 0.75, 0.25, 0.25, 0.5])
    np.testing.assert_allclose(model.score_samples([["red", "s"]]), np.log(0.75 * 0.5))
    assert model.score(COLOURS) == pytest.approx(np.mean(np.log([0.375, 0.1875, 0.125, 0.1875])))


def test_pseudo_counts_are_added_to_every_category():
    model = Categorical(pseudo_count=0.5, categories=[["red", "blue", "green"], ["s", "m", "l"]]).fit(COLOURS)
    np.testing.assert_allclose(model.probabilities_[0], [3.5 / 5.5, 1.5 / 5.5, 0.5 / 5.5])
    np.testing.assert_array_equal(model.counts_[0], [3, 1, 0])
    assert np.isfinite(model.score_samples([["green", "s"]])).all()


@pytest.mark.parametrize("pseudo_count", [0.0, 1.0])
def test_the_probabilities_of_all_rows_sum_to_one(pseudo_count):
    model = Categorical(pseudo_count=pseudo_count).fit(COLOURS)
    rows = list(itertools.product(*(c.tolist() for c in model.categories_)))
    assert np.exp(model.score_samples(rows)).sum() == pytest.approx(1)


def test_the_largest_likelihood_is_the_shares():
    codes = np.array([[0.0], [0.0], [1.0], [2.0], [0.0]])
    best = Categorical().fit(codes).score(codes)
    for other in ([0.5, 0.25, 0.25], [0.6, 0.25, 0.15], [0.7, 0.2, 0.1]):
        assert np.log(other)[codes[:, 0].astype(int)].mean() < best


def test_unknown_categories_cannot_occur():
    assert Categorical(pseudo_count=1).fit(COLOURS).score_samples([["green", "s"]])[0] == -np.inf
    with pytest.raises(ValueError, match=r"'blue'.*categories"):
        Categorical(categories=[["red"], ["s", "m", "l"]]).fit(COLOURS)


def test_missing_values_count_nowhere():
    table = pandas.DataFrame({"a": ["x", None, "y", "x"], "b": [1.0, 2.0, np.nan, 2.0]})
    model = Categorical().fit(table)
    np.testing.assert_allclose(model.probabilities_[0], [2 / 3, 1 / 3])
    np.testing.assert_allclose(model.probabilities_[1], [1 / 3, 2 / 3])
    unsure = pandas.DataFrame({"a": [None, "x"], "b": [2.0, np.nan]})
    np.testing.assert_allclose(np.exp(model.score_samples(unsure)), [2 / 3, 2 / 3])


def test_weights_are_repeats():
    weights = [2, 0, 1, 3]
    weighted = Categorical().fit(COLOURS, sample_weight=weights)
    repeated = Categorical().fit(np.repeat(COLOURS, weights, axis=0))
    assert [c.tolist() for c in weighted.categories_] == [c.tolist() for c in repeated.categories_]
    np.testing.assert_allclose(np.concatenate(weighted.counts_), np.concatenate(repeated.counts_))


def test_samples_follow_the_shares():
    model = Categorical(random_state=0).fit(COLOURS)
    drawn = model.sample(4000)
    counts = [(drawn[:, 1] == size).sum() for size in ("l", "m", "s")]
    assert chisquare(counts, [1000, 1000, 2000]).pvalue > 0.01
    assert abs(((drawn[:, 0] == "red") & (drawn[:, 1] == "s")).mean() - 0.375) < 0.03  # columns are independent
    np.testing.assert_array_equal(drawn, model.sample(4000))


def test_mixed_tables_keep_their_kinds(tmp_path):
    table = pandas.DataFrame({"a": ["x", "y"], "b": [1.5, 2.0]})
    model = Categorical(random_state=0).fit(table)
    assert isinstance(model.sample(1)[0, 1], float)
    model.save(tmp_path / "c.unmix")
    back = unmix.load(tmp_path / "c.unmix")
    np.testing.assert_array_equal(back.score_samples(table), model.score_samples(table))
    np.testing.assert_array_equal(back.sample(9), model.sample(9))


@pytest.mark.parametrize("nothing", [None, np.nan, pandas.NA])
def test_every_kind_of_missing_value(nothing):
    words = np.array([["u"], [nothing], ["v"], ["u"]], dtype=object)
    numbers = np.array([[np.float64(1)], [nothing], [2], [np.int64(1)]], dtype=object)
    for table in (words, numbers, pandas.DataFrame({"a": pandas.array(words[:, 0], dtype="string")})):
        model = Categorical().fit(table)
        np.testing.assert_allclose(model.probabilities_[0], [2 / 3, 1 / 3])
        np.testing.assert_allclose(model.score_samples(table), np.log([2 / 3, 1, 1 / 3, 2 / 3]))


def test_nothing_known_is_even_or_refused():
    empty = np.array([[np.nan], [np.nan]])
    with pytest.raises(ValueError, match="column 0 has no value"):
        Categorical().fit(empty)
    np.testing.assert_allclose(Categorical(categories=[[0.0, 1.0]]).fit(empty).probabilities_[0], [0.5, 0.5])
    with pytest.raises(ValueError, match="pseudo_count=-1"):
        Categorical(pseudo_count=-1).fit(COLOURS)
    for wrong in ([["red"]], 5):
        with pytest.raises(ValueError, match="categories must be 2"):
            Categorical(categories=wrong).fit(COLOURS)


def test_a_table_from_a_file_is_the_frame(tmp_path):
    import polars

    frame = polars.DataFrame({"colour": ["red", "blue", "red", None], "size": [1, 2, 2, 1]})
    frame.write_csv(tmp_path / "table.csv")
    frame.write_parquet(tmp_path / "table.parquet")
    expected = Categorical(pseudo_count=1.0).fit(frame).score_samples(frame)
    for path in (tmp_path / "table.csv", str(tmp_path / "table.parquet")):
        np.testing.assert_allclose(Categorical(pseudo_count=1.0).fit(path).score_samples(path), expected)
