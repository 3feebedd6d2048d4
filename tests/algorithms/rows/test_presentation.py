"""Rows shown to an online rule: all of them once an epoch, from windows that look alike wherever the table lies."""

import numpy as np
import pytest
import scipy.sparse as sp

from unmix.algorithms.rows import presentation
from unmix.algorithms.rows.presentation import ShownRows
from unmix.cluster import MiniBatchKMeans
from unmix.io.dispatch import as_blocks

N, D = 20_011, 2


@pytest.fixture(autouse=True)
def small_windows(monkeypatch):
    monkeypatch.setattr(presentation, "WINDOW_ENTRIES", 2**12)
    monkeypatch.setattr(presentation, "LEAST_WINDOW", 2**11)


def numbered(n=N):
    """Rows that say where they stand."""
    return np.column_stack([np.arange(n), np.zeros(n)]).astype(float)


def test_every_row_once_an_epoch_in_another_order():
    shown = ShownRows(as_blocks(numbered()), None, 0)
    epochs = [shown(epoch * N, N)[:, 0] for epoch in range(2)]
    for epoch in epochs:
        assert sorted(epoch) == list(range(N))
    assert (epochs[0] == epochs[1]).mean() < 0.01


def test_equal_rows_whose_weights_add_up_to_one():
    shown = ShownRows(as_blocks(np.array([[3.0], [3.0], [5.0]])), np.array([0.5, 0.5, 1.0]), 0)
    epochs = [sorted(shown(epoch * shown.showings, shown.showings)[:, 0]) for epoch in range(4)]
    assert shown.showings == 3, "more rows than weight: every row is shown"
    assert all(set(epoch) == {3.0, 5.0} for epoch in epochs)


def test_a_window_holds_rows_from_all_over_the_table():
    shown = ShownRows(as_blocks(numbered()), None, 1)
    window = shown(0, 2048)[:, 0]
    counts = np.histogram(window, bins=5, range=(0, N))[0]
    assert counts.min() > 60, "of 32 pieces a fifth of the table gets six on average"
    assert (np.abs(np.diff(window)) == 1).mean() < 0.05, "neighbours do not stay neighbours"


@pytest.mark.parametrize("size", [1, 700, 5000, 30_000])
def test_a_stretch_is_cut_out_of_the_epochs(size):
    shown = ShownRows(as_blocks(numbered()), None, 2)
    both, first = shown(0, 2 * N + 20_000), 12_345
    np.testing.assert_array_equal(shown(first, size), both[first : first + size])


def test_weights_repeat_rows_as_copies_do():
    weights = np.random.default_rng(0).integers(0, 4, N).astype(float)
    m = int(weights.sum())
    shown = ShownRows(as_blocks(numbered()), weights, 0)
    assert shown.showings == m
    by_weight = shown(0, m)
    np.testing.assert_array_equal(np.bincount(by_weight[:, 0].astype(int), minlength=N), weights)
    copies = ShownRows(as_blocks(np.repeat(numbered(), weights.astype(int), axis=0)), None, 0)
    np.testing.assert_array_equal(by_weight, copies(0, m))


def test_the_same_bits_from_memory_disk_and_sparse_rows(tmp_path):
    X = np.random.default_rng(3).normal(size=(N, D)) + 5 * (np.arange(N) % 3)[:, None]
    np.save(tmp_path / "x.npy", X)
    fits = [MiniBatchKMeans(3, max_iter=2, random_state=0).fit(given) for given in (X, tmp_path / "x.npy")]
    assert fits[0].cluster_centers_.tobytes() == fits[1].cluster_centers_.tobytes()
    shown = [ShownRows(as_blocks(given), None, 0)(0, 3000) for given in (X, sp.csr_array(X))]
    np.testing.assert_array_equal(shown[0], shown[1].toarray())


def test_a_table_sorted_by_cluster_is_learned_as_well_as_a_shuffled_one():
    rng = np.random.default_rng(4)
    X = np.sort(rng.integers(0, 4, N))[:, None] * np.array([6.0, -4.0]) + rng.normal(size=(N, D))
    model = MiniBatchKMeans(4, max_iter=3, random_state=0).fit(X)
    inertia = MiniBatchKMeans(4, max_iter=3, random_state=0).fit(X[rng.permutation(N)]).inertia_
    assert model.inertia_ < 1.01 * inertia
