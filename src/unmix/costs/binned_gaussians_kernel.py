"""The compiled M step of parametric distributional clustering: weights and shared Gaussians by EM.

Its plain definition is the loop of `mix` and `climb` in binned_gaussians.py; tables are so small that numpy would spend
its time on calls.
"""

import math
from typing import Any

from unmix.core.kernel import kernel

NARROWEST, HALVINGS = 0.5, 6  # as in binned_gaussians.py
TINY = 1e-300
LEAST = math.log(TINY)


@kernel
def estimate(
    counts: Any,
    background: Any,
    floor: float,
    w: Any,
    means: Any,
    widths: Any,
    rounds: int,
    steps: int,
    adapt: bool,
    G: Any,
    excess: Any,
    claims: Any,
    share: Any,
    new: Any,
) -> None:
    """Change weights w (k, s), and means and widths (s,) if `adapt`, in place; G (s, m) becomes the Gaussians.

    `excess` (k, m), `claims` (m,), `share` (m,) and `new` (s,) are room to work in.
    """
    for a in range(means.size):
        fill(means[a], widths[a], G[a])
    for _ in range(rounds):
        for c in range(counts.shape[0]):
            mix(counts, background, floor, w, G, steps, c, excess, new)
            divide(counts, background, floor, w, G, c, excess)
        for a in range(means.size if adapt else 0):
            for b in range(claims.size):
                claims[b] = 0.0
            for c in range(counts.shape[0]):
                for b in range(claims.size):
                    claims[b] += w[c, a] * excess[c, b] * G[a, b]
            climb(claims, a, means, widths, share, G[a])


@kernel
def divide(counts: Any, background: Any, floor: float, w: Any, G: Any, c: int, excess: Any) -> None:
    """excess[c] <- N(b) / p(b)"""
    for b in range(background.size):
        excess[c, b] = 0.0
    for a in range(w.shape[1]):
        for b in range(background.size):
            excess[c, b] += w[c, a] * G[a, b]
    for b in range(background.size):
        density = (1 - floor) * excess[c, b] + floor * background[b]
        excess[c, b] = counts[c, b] / density if counts[c, b] > 0 and density > 0 else 0.0


@kernel
def mix(counts: Any, background: Any, floor: float, w: Any, G: Any, steps: int, c: int, excess: Any, new: Any) -> None:
    """Steps of EM for the weights of cluster c; without counts it keeps them."""
    for _ in range(steps):
        divide(counts, background, floor, w, G, c, excess)
        whole = 0.0
        for a in range(w.shape[1]):
            total = 0.0
            for b in range(background.size):
                total += excess[c, b] * G[a, b]
            new[a] = w[c, a] * total
            whole += new[a]
        if not whole > 0:
            return
        for a in range(w.shape[1]):
            w[c, a] = new[a] / whole


@kernel
def fill(mean: float, width: float, out: Any) -> float:
    """out <- a Gaussian over bins that adds up to one; returns the logarithm of what it was divided by."""
    total = 0.0
    for b in range(out.size):
        away = (b - mean) / width
        out[b] = math.exp(-0.5 * away * away) + TINY
        total += out[b]
    for b in range(out.size):
        out[b] /= total
    return math.log(total)


@kernel
def likelihood(share: Any, mean: float, width: float, out: Any) -> float:
    """Σ_b share log G; `out` becomes G."""
    total = fill(mean, width, out)
    value = 0.0
    for b in range(share.size):
        away = (b - mean) / width
        power = -0.5 * away * away
        value += share[b] * ((power if power > LEAST else LEAST) - total)
    return value


@kernel
def climb(claims: Any, a: int, means: Any, widths: Any, share: Any, out: Any) -> None:
    """A step of the mean, then of the width, towards the counts claimed, the likelihood never lower; `out` follows."""
    mass = 0.0
    for b in range(claims.size):
        mass += claims[b]
    if not mass > 0:
        return
    for b in range(claims.size):
        share[b] = claims[b] / mass
    for of_width in range(2):
        mean = means[a]
        width = widths[a]
        before = likelihood(share, mean, width, out)
        wanted = wish(share, mean, width, out, of_width)
        reach = 1.0
        for _ in range(HALVINGS):
            if of_width:
                width = widths[a] + reach * (wanted - widths[a])
            else:
                mean = means[a] + reach * (wanted - means[a])
            if likelihood(share, mean, width, out) >= before:
                means[a] = mean
                widths[a] = width
                break
            reach /= 2
    fill(means[a], widths[a], out)


@kernel
def wish(share: Any, mean: float, width: float, out: Any, of_width: int) -> float:
    """The mean or the width with the moments of the counts, within the bins."""
    off = spread = asked = 0.0
    for b in range(share.size):
        off += (share[b] - out[b]) * b
        spread += out[b] * (b - mean) ** 2
        asked += share[b] * (b - mean) ** 2
    wanted = width * math.sqrt(asked / (spread if spread > TINY else TINY)) if of_width else mean + off
    low = NARROWEST if of_width else 0.0
    high = float(share.size) if of_width else share.size - 1.0
    return low if wanted < low else high if wanted > high else wanted
