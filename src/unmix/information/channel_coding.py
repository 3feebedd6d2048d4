"""How many messages a noisy channel tells apart, and how often it errs: codes drawn at random.

A code of M messages in n letters has the rate R = log M / n.  Codewords drawn letter by letter from a law p, decoded by
the likeliest message, err on average over codes with a probability of at most

    exp(-n E_r(R)),   E_r(R) = max_{0≤ρ≤1} E_0(ρ) - ρ R,   E_0(ρ) = -log Σ_y [ Σ_x p(x) W(y|x)^(1/(1+ρ)) ]^(1+ρ)

which falls to zero as n grows if R < I(X;Y).  Decoding by typical sequences gives the coarser exp(-n (I - 3 ε - R)),
once n is so large that the sent and received sequences are jointly typical.  Of the messages of a good code the
better half errs at most twice as often, each of them, and costs one bit in n of the rate.

References: Shannon (1948); Gallager, A simple derivation of the coding theorem, IEEE Trans. Inf. Theory 11 (1965).
"""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from unmix.core.arguments import as_numbers, whole_number, zero_or_more
from unmix.information.capacity import capacity
from unmix.information.distribution import as_distribution, units
from unmix.information.mutual_information import nats_shared


class RandomCode(NamedTuple):
    """What codes drawn at random achieve; the answer of `random_code`, rates in its base.

    Attributes
    ----------
    rate : float, R
    length : int, n
    information : float, I(X;Y) of the law; the capacity if none was given
    exponent : float, E_r(R); 0 from the information on
    error : float, at most this is the probability of error, on average over codes and messages
    base : float

    Examples
    --------
    >>> random_code([[0.9, 0.1], [0.1, 0.9]], 0.25, 100).typical_error(0.01) < 1
    True
    """

    rate: float
    length: int
    information: float
    exponent: float
    error: float
    base: float

    def typical_error(self, epsilon: float) -> float:
        """``base^(-n (I - 3 ε - R))``, at most 1: that a wrong codeword is jointly typical with what was received."""
        gap = self.information - 3 * zero_or_more("epsilon", epsilon) - self.rate
        return float(np.exp(min(0.0, -self.length * gap * units(self.base))))

    @property
    def log_messages(self) -> float:
        """log M = n R in the base of the rate; the code tells ⌊base^(n R)⌋ messages apart."""
        return self.length * self.rate


def code_rate(n_messages: int, length: int, *, base: float = 2.0) -> float:
    """Rate log(M) / n of a code: bits of message for each letter sent.

    Parameters
    ----------
    n_messages : int
        M, how many messages the code tells apart; any size.
    length : int
        n, letters of a codeword.
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    Examples
    --------
    The Hamming code: 16 messages in 7 binary letters.

    >>> round(code_rate(16, 7), 3)
    0.571
    """
    return log(whole_number("n_messages", n_messages)) / units(base) / whole_number("length", length)


def random_code(channel: Any, rate: float, length: int, *, law: Any = None, base: float = 2.0) -> RandomCode:
    """How well codes drawn at random do on a channel without memory.

    Parameters
    ----------
    channel : array-like of shape (n, m)
        Row x is the distribution of what arrives when x is sent.
    rate : float
        R, see `code_rate`.
    length : int
        Letters of a codeword.
    law : array-like of shape (n,), optional
        From which letters are drawn; by default the law that reaches the `capacity`.
    base : float, default=2
        Of the rate and of what is returned.

    Notes
    -----
    E_0 is concave in ρ; one number is sought, each value costs one pass over the channel.

    References
    ----------
    Gallager, A simple derivation of the coding theorem and some applications, IEEE Trans. Information Theory 11, 1965.

    Examples
    --------
    One letter in ten arrives flipped. At half the capacity long words are safe, above it no bound below 1 holds:

    >>> flips = [[0.9, 0.1], [0.1, 0.9]]
    >>> for length in (100, 1000):
    ...     print(f"{random_code(flips, 0.25, length).error:.1g}")
    0.003
    2e-25
    >>> random_code(flips, 0.6, 1000).error
    1.0
    """
    found = capacity(channel, base=base)  # speaks up about what is no channel
    W = as_numbers(channel, "channel")
    W = W / W.sum(axis=1, keepdims=True)
    p = found.law if law is None else as_distribution(law, "law")
    if p.shape != (len(W),):
        raise ValueError(f"law has shape {p.shape}; give a probability for each of the {len(W)} letters sent")
    unit, n = units(base), whole_number("length", length)
    nats = zero_or_more("rate", rate) * unit
    exponent = random_exponent(W, p, nats)
    information = found.value if law is None else nats_shared(p[:, None] * W) / unit
    return RandomCode(float(rate), n, information, exponent / unit, float(np.exp(-n * exponent)), base)


def random_exponent(channel: np.ndarray, law: np.ndarray, rate: float) -> float:
    """E_r(R) in nats."""
    with np.errstate(divide="ignore"):
        log_channel, log_law = np.log(channel), np.log(law)

    def lost(rho: float) -> float:
        letters = (1 + rho) * logsumexp(log_law[:, None] + log_channel / (1 + rho), axis=0)
        return float(logsumexp(letters)) + rho * rate

    inside = minimize_scalar(lost, bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-10})
    return max(0.0, -min(float(inside.fun), lost(1.0)))
