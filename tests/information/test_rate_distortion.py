"""The rate–distortion curve against closed forms, its own bounds, and convex optimisation's conditions."""

import numpy as np
import pytest

from unmix.information import entropy, mutual_information, rate_distortion

SLOPES = np.array([0.5, 1.0, 2.0, 4.0, 8.0])


def binary_entropy(x):
    return -(x * np.log2(x) + (1 - x) * np.log2(1 - x))


@pytest.mark.parametrize("share", [0.5, 0.3])
def test_binary_source_under_bit_errors(share):
    curve = rate_distortion([share, 1 - share], [[0, 1], [1, 0]], SLOPES, tol=1e-10)
    expected = 1 / (1 + np.exp(SLOPES))  # where R(D) = H(share) - H(D) has slope -beta, until D reaches the share
    inside = expected < share
    np.testing.assert_allclose(curve.distortion[inside], expected[inside], atol=1e-5)
    np.testing.assert_allclose(
        curve.rate[inside], (binary_entropy(share) - binary_entropy(expected))[inside], atol=1e-5
    )
    np.testing.assert_allclose(curve.rate[~inside], 0, atol=1e-5)
    np.testing.assert_allclose(curve.distortion[~inside], share, atol=1e-5)


def test_equal_source_of_m_letters():
    m = 5
    curve = rate_distortion(np.ones(m), 1 - np.eye(m), SLOPES, tol=1e-10)
    D = curve.distortion
    np.testing.assert_allclose(D, (m - 1) / (m - 1 + np.exp(SLOPES)), atol=1e-9)
    np.testing.assert_allclose(curve.rate, np.log2(m) - binary_entropy(D) - D * np.log2(m - 1), atol=1e-9)


def test_rate_is_the_information_of_the_conditional_and_the_gap_is_kept():
    rng = np.random.default_rng(1)
    p, d = rng.dirichlet(np.ones(6)), rng.random((6, 4))
    curve = rate_distortion(p, d, SLOPES, tol=1e-4)
    for rate, distortion, conditional in zip(curve.rate, curve.distortion, curve.conditional):
        np.testing.assert_allclose(conditional.sum(axis=1), 1)
        assert rate == pytest.approx(mutual_information(p[:, None] * conditional))
        assert distortion == pytest.approx((p[:, None] * conditional * d).sum())
    exact = rate_distortion(p, d, SLOPES, tol=1e-9, max_iter=200_000)
    assert (curve.gap <= 1e-4).all() and (exact.gap <= 1e-9).all()
    # R(D) + beta D is smallest on the curve: the rough answer is above it, by less than its gap allows
    bits = np.log2(np.e)
    above = (curve.rate + bits * SLOPES * curve.distortion) - (exact.rate + bits * SLOPES * exact.distortion)
    assert (above >= -1e-8).all() and (above <= curve.gap + 1e-8).all()


def test_curve_falls_and_is_convex():
    rng = np.random.default_rng(2)
    curve = rate_distortion(rng.dirichlet(np.ones(8)), rng.random((8, 8)), np.linspace(0, 30, 40), tol=1e-8)
    assert (np.diff(curve.rate) >= -1e-6).all() and (np.diff(curve.distortion) <= 1e-6).all()
    slopes = np.diff(curve.rate) / np.minimum(np.diff(curve.distortion), -1e-12)
    moved = np.diff(curve.distortion) < -1e-6
    assert (np.diff(slopes[moved]) <= 1e-3).all()


def test_limits():
    rng = np.random.default_rng(3)
    p, d = rng.dirichlet(np.ones(5)), 1 - np.eye(5)
    free, exact = rate_distortion(p, d, 0.0), rate_distortion(p, d, 1000.0)
    assert free.rate[0] == pytest.approx(0, abs=1e-12)
    assert exact.rate[0] == pytest.approx(entropy(p)) and exact.distortion[0] == pytest.approx(0, abs=1e-12)
    single = rate_distortion([3.0], [[0.2, 0.1]], 5.0, tol=1e-9, max_iter=100_000)
    assert single.rate[0] == pytest.approx(0, abs=1e-9)


def test_one_iteration_says_how_far_it_came():
    p, d = [0.9, 0.1], [[0.0, 1.0], [1.0, 0.0]]
    rough = rate_distortion(p, d, 3.0, max_iter=1)
    assert rough.n_iter[0] == 1 and rough.gap[0] > 0.01


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: rate_distortion([1, 1], [[0, 1]], 1.0), "one row"),
        (lambda: rate_distortion([1, 1], [0, 1], 1.0), "table"),
        (lambda: rate_distortion([1, 1], [[0, np.inf], [1, 0]], 1.0), "infinity"),
        (lambda: rate_distortion([1, 1], np.eye(2), -1.0), "beta"),
        (lambda: rate_distortion([1, 1], np.eye(2), 1.0, max_iter=0), "max_iter"),
    ],
)
def test_bad_input_is_named(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()
