"""Rates and errors of random codes: closed forms on binary channels, and all codebooks of a small code."""

from itertools import product

import numpy as np
import pytest

from unmix.information import capacity, code_rate, random_code


def flips(p):
    return np.array([[1 - p, p], [p, 1 - p]])


def binary_entropy(p):
    return -p * np.log2(p) - (1 - p) * np.log2(1 - p)


def test_rate():
    assert code_rate(16, 7) == pytest.approx(4 / 7)
    assert code_rate(2**5000, 10_000) == pytest.approx(0.5)  # more messages than a float holds
    assert code_rate(8, 3, base=np.e) == pytest.approx(np.log(2))


@pytest.mark.parametrize("p", [0.01, 0.1, 0.3])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.1])
def test_the_exponent_of_the_binary_symmetric_channel_is_the_closed_form(p, share):
    limit = 1 - binary_entropy(p)
    rate = share * limit
    rho = np.linspace(0, 1, 100_001)
    lost = p ** (1 / (1 + rho)) + (1 - p) ** (1 / (1 + rho))
    exponent = max(0.0, (rho - (1 + rho) * np.log2(lost) - rho * rate).max())
    code = random_code(flips(p), rate, 200)
    assert code.information == pytest.approx(limit, abs=1e-8)
    assert code.exponent == pytest.approx(exponent, abs=1e-8)
    assert code.error == pytest.approx(2 ** (-200 * exponent), rel=1e-5)
    assert (code.error < 1) == (share < 1)
    assert code.log_messages == pytest.approx(200 * rate)
    assert code.typical_error(0.01) == pytest.approx(min(1, 2 ** (-200 * (limit - 0.03 - rate))))


def test_the_exponent_of_the_erasure_channel_is_the_closed_form():
    lost, rate = 0.3, 0.4
    code = random_code([[1 - lost, lost, 0], [0, lost, 1 - lost]], rate, 50)
    rho = np.linspace(0, 1, 100_001)
    assert code.exponent == pytest.approx((-np.log2((1 - lost) * 2.0**-rho + lost) - rho * rate).max(), abs=1e-8)
    assert code.information == pytest.approx(1 - lost)


@pytest.mark.parametrize("law", [[0.5, 0.5], [0.3, 0.7]])
def test_the_bound_holds_for_the_mean_over_all_codebooks(law):
    """Two messages in three letters: every codebook, every received word, the likeliest message (ties are lost)."""
    W, n = np.array([[0.9, 0.1], [0.25, 0.75]]), 3
    words = list(product(range(2), repeat=n))
    error = 0.0
    for first, second in product(words, repeat=2):
        chance = np.prod([law[letter] for letter in first + second])
        for received in words:
            own, other = (np.prod([W[x, y] for x, y in zip(word, received)]) for word in (first, second))
            error += chance * own * (own <= other)
    code = random_code(W, code_rate(2, n), n, law=law)
    assert 0 < error <= code.error <= 1


def test_base_and_law():
    W = [[0.8, 0.2], [0.1, 0.9]]
    bits, nats = random_code(W, 0.1, 40), random_code(W, 0.1 * np.log(2), 40, base=np.e)
    assert nats.exponent == pytest.approx(bits.exponent * np.log(2), rel=1e-8)
    assert nats.error == pytest.approx(bits.error, rel=1e-8)
    assert nats.typical_error(0.01 * np.log(2)) == pytest.approx(bits.typical_error(0.01), rel=1e-8)
    assert bits.information == pytest.approx(capacity(W).value)
    given = random_code(W, 0.1, 40, law=capacity(W).law)
    assert given.information == pytest.approx(bits.information, abs=1e-8)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: code_rate(0, 3), "n_messages=0"),
        (lambda: code_rate(4, 1.5), "length=1.5"),
        (lambda: random_code(flips(0.1), -1, 3), "rate=-1"),
        (lambda: random_code(flips(0.1), 0.1, 3, law=[1, 1, 1]), "law has shape"),
        (lambda: random_code(flips(0.1), 0.1, 3).typical_error(-1), "epsilon=-1"),
    ],
)
def test_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()
