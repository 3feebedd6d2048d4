import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.structure.without import dependence_in_words


def noise(n, seed):
    return np.random.default_rng(seed).normal(size=n)


@pytest.mark.slow_without_jit
def test_a_column_that_alone_makes_the_clusters_is_named():
    """Two groups along `code` only: without it one cloud is left, which the other columns do not change."""
    n = 120
    frame = pl.DataFrame({"a": noise(n, 1), "b": noise(n, 2), "split": np.repeat([0.0, 12.0], n // 2) + noise(n, 3)})
    findings = unmix.explore(frame, max_k=3)
    assert findings.selection.chosen_k == 2
    assert unmix.explore(frame, max_k=3, drop="split").selection.chosen_k == 1
    said = [warning for warning in findings.warnings if warning.startswith("Without")]
    assert said == [
        "Without column 'split' the answer would be no cluster structure beyond chance instead of 2 clusters."
    ]


@pytest.mark.slow_without_jit
def test_clusters_in_every_column_hang_on_none():
    n = 120
    groups = np.repeat([0.0, 9.0], n // 2)
    findings = unmix.explore({name: groups + noise(n, j) for j, name in enumerate("abc")}, max_k=3)
    assert findings.selection.chosen_k == 2
    assert not [warning for warning in findings.warnings if warning.startswith("Without")]


def test_columns_with_the_same_answer_share_a_sentence():
    assert dependence_in_words({"a": 1, "b": 3, "c": 3}, 2) == [
        "Without column 'a' the answer would be no cluster structure beyond chance instead of 2 clusters.",
        "Without any one of the columns 'b', 'c' the answer would be 3 clusters instead of 2 clusters.",
    ]
    assert dependence_in_words({}, 2) == []
