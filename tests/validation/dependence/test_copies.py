"""Copies of rows against rows that were rounded alike."""

import numpy as np

from unmix.validation.dependence.copies import find_copies


def test_repeated_rows_are_found_and_given_back():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(40, 3)), rng.integers(1, 5, 40), axis=0)
    X = X[rng.permutation(len(X))]
    copies = find_copies(X)
    assert len(copies.first) == 40 and (np.diff(copies.first) > 0).all()
    assert np.array_equal(X[copies.first][copies.which], X)


def test_readings_of_two_digits_that_come_again_in_all_columns_are_copies():
    X = np.round(np.random.default_rng(1).normal(size=(80, 4)), 2)
    assert len(find_copies(np.repeat(X, 3, axis=0)).first) == 80


def test_weighted_rows_of_coarse_readings_are_copies():
    rng = np.random.default_rng(3)
    X = np.round(np.exp(rng.normal(size=(200, 3))), 1)
    assert len(find_copies(np.repeat(X, rng.poisson(3, 200), axis=0)).first) < 200


def test_rows_rounded_alike_are_no_copies():
    rng = np.random.default_rng(2)
    grades = rng.integers(1, 6, (300, 4)).astype(float)
    tight = np.rint(5 * rng.integers(3, size=(300, 1)) + 0.5 * rng.normal(size=(300, 6)))
    corners = np.repeat(np.eye(6), 20, axis=0)
    counts = rng.poisson(np.exp(2 + 0.7 * rng.normal(size=(600, 1)) + 0.2 * rng.normal(size=(600, 3)))).astype(float)
    for X in (counts, grades, tight, corners, np.round(rng.normal(size=(200, 1)), 1), rng.normal(size=(50, 2))):
        assert find_copies(X) is None
