"""Topics planted in texts come back, with their words as names and their shares as columns."""

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.topics.model import choose_number, fit_topics
from unmix.io.base.errors import TableError

WORDS = [
    ["pasta", "pizza", "sauce", "dessert", "waiter", "menu"],
    ["engine", "wheel", "brake", "gear", "tyre", "mileage"],
    ["guitar", "drums", "singer", "melody", "concert", "chorus"],
]


def texts(n, k, seed, n_words=12):
    """Texts of one topic each, with words of the others and empty ones among them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    lines = []
    for topic in y:
        chosen = [WORDS[topic if rng.random() < 0.9 else rng.integers(k)][rng.integers(6)] for _ in range(n_words)]
        lines.append("The " + " and ".join(chosen) + ".")
    return pl.Series("review", lines), y


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("k", [2, 3])
def test_planted_topics_come_back(k):
    lines, y = texts(120, k, seed=k)
    found = fit_topics(lines, 0, [])
    assert len(found.names) == k
    shares = found.shares(lines).to_numpy()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    for topic in range(k):
        own = int(shares[y == topic].mean(axis=0).argmax())
        assert shares[y == topic, own].mean() > 0.75
        assert set(found.names[own].removeprefix("review: ").split()) <= set(WORDS[topic])


@pytest.mark.slow_without_jit
def test_words_put_aside_tell_how_many():
    rng = np.random.default_rng(0)
    parts = rng.dirichlet(np.full(30, 0.2), size=4)
    shares = rng.dirichlet(np.full(4, 0.2), size=300)
    assert choose_number(rng.poisson(60 * shares @ parts).astype(float), 0) == 4


def test_texts_without_words_have_no_shares():
    lines, _ = texts(60, 2, seed=1)
    found = fit_topics(lines, 0, [])
    shares = found.shares(pl.Series("review", ["pasta pizza", None, "", "xylophone"]))
    assert shares.null_count().row(0) == (3,) * len(found.names)


@pytest.mark.slow_without_jit
def test_topics_describe_and_with_use_form_the_clusters():
    lines, y = texts(150, 2, seed=3, n_words=25)
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"height": 6 * (y == 1) + rng.normal(size=150), "age": rng.normal(size=150), "review": lines})
    found = unmix.explore(frame, topics="review", max_k=3)
    assert found.selection.chosen_k == 2
    made = [column for column in found.columns if column.name.startswith("review: ")]
    assert len(made) == 2 and not any(column.used for column in made)
    assert any(item.column.startswith("review: ") for cluster in found.clusters for item in cluster.distinct)
    formed = unmix.explore(frame, topics="review", use="review", max_k=3)
    assert {column.name for column in formed.columns if column.used} == {column.name for column in made}
    assert "topics='review'" in found.command


@pytest.mark.parametrize("cells", [[f"{i}" for i in range(30)], ["same words here"] * 30])
def test_what_has_no_topics_is_refused_in_words(cells):
    with pytest.raises(TableError, match="topics"):
        fit_topics(pl.Series("review", cells), 0, [])


def test_an_unknown_column_is_named():
    with pytest.raises(TableError, match="did you mean 'review'"):
        unmix.explore({"x": [1.0, 2.0, 4.0], "review": ["a", "b", "c"]}, topics="revew")
