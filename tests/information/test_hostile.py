"""What is no law, no number or no setting is named in one sentence; the rest is answered at any scale."""

import numpy as np
import pytest

from unmix.information import (
    capacity,
    differential_entropy,
    entropy,
    gaussian_entropy,
    kl_divergence,
    mutual_information,
    rate_distortion,
    typical_set,
)

FLIP = [[0.9, 0.1], [0.1, 0.9]]
COIN = [0.5, 0.5]


def test_counts_that_add_up_to_infinity_are_refused():
    with pytest.raises(ValueError, match="p sums to infinity"):
        entropy([1.5e308, 1.5e308])
    with pytest.raises(ValueError, match="joint sums to infinity"):
        mutual_information([[1.5e308, 0.0], [0.0, 1.5e308]])


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1.6e308])
def test_rows_of_a_channel_have_no_unit(scale):
    assert capacity(np.array(FLIP) * scale).value == pytest.approx(0.531004, abs=1e-6)


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: entropy(["a"]), "p holds a value that is not a number"),
        (lambda: kl_divergence([1, 2], [1j, 1]), "q holds a value that is not a number"),
        (lambda: mutual_information([["a", "b"]]), "joint holds a value that is not a number"),
        (lambda: entropy([1, 2], base="2"), "base='2': give a number above 1"),
        (lambda: entropy([1, 2], base=None), "base=None: give a number above 1"),
        (lambda: capacity([["a"]]), "channel holds a value that is not a number"),
        (lambda: capacity(FLIP, tol=-1), "tol=-1: give a finite number that is 0 or more"),
        (lambda: capacity(FLIP, tol=np.nan), "tol=nan: give a finite number that is 0 or more"),
        (lambda: capacity(FLIP, tol="fine"), "tol='fine': give a finite number that is 0 or more"),
        (lambda: capacity(FLIP, max_iter=1.5), "max_iter=1.5: give a whole number from 1 up"),
        (lambda: capacity(FLIP, costs=["a", 1], budget=1), "costs holds a value that is not a number"),
        (lambda: rate_distortion(COIN, 1 - np.eye(2), []), "beta holds numbers that are no slopes"),
        (lambda: rate_distortion(COIN, 1 - np.eye(2), "a"), "beta holds a value that is not a number"),
        (lambda: rate_distortion(COIN, [["a", 1], [1, 0]], 1.0), "d holds a value that is not a number"),
        (lambda: rate_distortion(COIN, 1 - np.eye(2), 1.0, tol=np.inf), "tol=inf: give a finite number"),
        (
            lambda: rate_distortion(COIN, 1 - np.eye(2), 1.0, max_iter="a"),
            "max_iter='a': give a whole number from 1 up",
        ),
        (lambda: differential_entropy([["a"]] * 9), "X holds a value that is not a number"),
        (lambda: differential_entropy(np.arange(9.0), k=True), "k=True with 9 row"),
        (lambda: gaussian_entropy("a"), "covariance holds a value that is not a number"),
        (lambda: typical_set(COIN, True, 0.1), "n=True: give a whole number from 1 up"),
        (lambda: typical_set(COIN, 3, "a"), "epsilon='a': give a finite number that is 0 or more"),
    ],
)
def test_what_was_given_is_named(call, words):
    with pytest.raises(ValueError) as refused:
        call()
    assert str(refused.value).startswith(words)
