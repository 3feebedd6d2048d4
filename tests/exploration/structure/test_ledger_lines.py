"""The first line on the kind of structure, and that it agrees with components and clusters."""

import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.structure.ledger_lines import sentence
from unmix.validation.bits.verdict import Bits


def bits(**means):
    """Bits whose savings have these means and a standard error of 0.1, and do not differ otherwise."""
    noise = np.random.default_rng(0).normal(size=400)
    noise = 2 * (noise - noise.mean()) / noise.std(ddof=1)
    rows = {"independent": np.full(400, 30.0)} | {kind: 30.0 - mean - noise for kind, mean in means.items()}
    return Bits(rows, rows, {kind: np.full(4, bits.mean()) for kind, bits in rows.items()})


def test_the_line_says_what_explains_most_and_what_the_other_adds():
    both = bits(factors=3.5, groups=1.0, both=3.9)
    assert sentence(both, 2, 1) == "Mostly linear factors (3.5 ± 0.1 bits a row of 3.9), groups add 0.40 ± 0.00."
    swapped = bits(factors=1.0, groups=3.5, both=3.9)
    assert sentence(swapped, 2, 1).startswith(
        "Mostly groups (3.5 ± 0.1 bits a row of 3.9), linear factors inside them add"
    )
    assert sentence(bits(factors=2.0, groups=1.0, both=2.0), 1, 2) == (
        "Mostly linear factors: they save 2.0 ± 0.1 bits a row; groups alone save 1.0 ± 0.1."
    )


def test_the_line_does_not_deny_components_and_clusters():
    none = bits(factors=0.0, groups=0.0, both=0.0)
    assert "what the clusters and component tell of a row is little" in sentence(none, 3, 1)
    assert "what the component tells of a row is little" in sentence(none, 1, 1)
    assert sentence(none, 1, 0).startswith("None that foretells rows: columns taken one by one")
    groups = bits(factors=1.0, groups=3.0, both=3.0)
    assert "spread: no gap parts them into clusters" in sentence(groups, 1, 1, 0.1)
    assert "spread: probably no gap parts them" in sentence(groups, 1, 1, 0.4)
    assert "gap" not in sentence(groups, 1, 1) and "gap" not in sentence(groups, 1, 1, 0.9)  # one was asked for
    assert "places along these factors" in sentence(bits(factors=3.0, groups=1.0, both=3.0), 2, 1)
    assert "no component by itself stands out" in sentence(bits(factors=3.0, groups=1.0, both=3.0), 1, 0)


def related(n=160):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, 1)) @ [[1.0, 1.2, 0.9]] + 0.5 * rng.normal(size=(n, 3))
    return pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})


@pytest.mark.slow_without_jit
def test_explore_holds_the_ledger_of_the_columns_it_used():
    """Three columns of one factor: the bits saved are ½ log₂ of the variances over the determinant."""
    frame = related(400)
    gone = np.random.default_rng(1).random(400) < 0.05
    found = unmix.explore(frame.with_columns(a=pl.when(pl.Series(gone)).then(None).otherwise(pl.col("a"))), max_k=2)
    loadings = np.array([1.0, 1.2, 0.9])
    covariance = np.outer(loadings, loadings) + 0.25 * np.eye(3)
    true = 0.5 * np.log2(np.diag(covariance).prod() / np.linalg.det(covariance))
    ledger = found.ledger
    line = {kind.kind: kind for kind in ledger.kinds}["factors"]
    assert ledger.leader == "factors" and ledger.sentence.startswith("Mostly linear factors")
    # What a missing cell has in common with the others is not there to be saved.
    two = 0.5 * np.log2(covariance[1, 1] * covariance[2, 2] / np.linalg.det(covariance[1:, 1:]))
    expected = gone.mean() * two + (1 - gone.mean()) * true
    assert line.saved == pytest.approx(expected, abs=2 * line.saved_error) and 0 < line.saved_error < 0.2
    assert ledger.n_rows == 200 and "sources" not in {kind.kind for kind in ledger.kinds}
    assert f"Structure: {ledger.sentence}" in str(found) and "Bits saved, of" in str(found)


@pytest.mark.slow_without_jit
def test_too_few_rows_or_columns_have_no_ledger():
    assert unmix.explore(related().head(30), max_k=2).ledger is None
    assert unmix.explore(related().select("a"), max_k=2).ledger is None


@pytest.mark.slow_without_jit
def test_walks_are_held_out_by_blocks():
    walks = np.random.default_rng(3).normal(size=(400, 3)).cumsum(axis=0)
    found = unmix.explore(pl.DataFrame(walks, schema=["a", "b", "c"]), max_k=2).ledger
    assert found is None or (found.leader == "independent" and "blocks" in found.notes[-1])
