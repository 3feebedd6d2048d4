"""The compiled M step of parametric distributional clustering: weights and shared Gaussians by EM.

Its plain definition is the loop of `mix` and `climb` in binned_gaussians.py; tables are so small that numpy would spend
its time on calls.
"""

import math
from typing import Any

from unmix.core.compiled.kernel import kernel

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
    new: Any,
) -> None:
    """Change weights w (k, s), and means and widths (s,) and the Gaussians G (s, m) over bins if `adapt`, in place.

    A cluster without counts keeps its weights. `excess` (k, m), `claims` (m,) and `new` (s,) are room to work in.
    """
    k, s, bins = counts.shape[0], means.size, claims.size
    for _ in range(rounds):
        for c in range(k):
            for step in range(steps + 1):
                for b in range(bins):
                    excess[c, b] = 0.0
                for a in range(s):
                    for b in range(bins):
                        excess[c, b] += w[c, a] * G[a, b]
                for b in range(bins):  # N(b) / p(b)
                    density = (1 - floor) * excess[c, b] + floor * background[b]
                    excess[c, b] = counts[c, b] / density if counts[c, b] > 0 and density > 0 else 0.0
                whole = 0.0
                for a in range(s if step < steps else 0):
                    total = 0.0
                    for b in range(bins):
                        total += excess[c, b] * G[a, b]
                    new[a] = w[c, a] * total
                    whole += new[a]
                if not whole > 0:
                    break
                for a in range(s):
                    w[c, a] = new[a] / whole
        for a in range(s if adapt else 0):
            for b in range(bins):
                claims[b] = 0.0
            for c in range(k):
                for b in range(bins):
                    claims[b] += w[c, a] * excess[c, b] * G[a, b]
            climb(claims, a, means, widths, G)


@kernel(no_cpython_wrapper=True)
def climb(share: Any, a: int, means: Any, widths: Any, G: Any) -> None:
    """A step of the mean, then of the width, towards the counts claimed, the likelihood never lower; G[a] follows.

    The first attempt stays, and says how likely that is and where to go; after the last in vain it is back there.
    """
    bins, mass, mean, width = share.size, 0.0, means[a], widths[a]
    for b in range(bins):
        mass += share[b]
    if not mass > 0:
        return
    for b in range(bins):
        share[b] /= mass
    for of_width in range(2):
        before, step, reach = 0.0, 0.0, 0.0
        for attempt in range(HALVINGS + 2):
            if of_width == 1:
                width = widths[a] + reach * step
            else:
                mean = means[a] + reach * step
            total = value = 0.0
            for b in range(bins):
                away = (b - mean) / width
                power = -0.5 * away * away
                G[a, b] = math.exp(power) + TINY
                total += G[a, b]
                value += share[b] * (power if power > LEAST else LEAST)
            for b in range(bins):
                G[a, b] /= total
            value -= math.log(total)
            if attempt == 0:
                before = value
                off = spread = asked = 0.0
                for b in range(bins):
                    square = (b - mean) * (b - mean)
                    off += (share[b] - G[a, b]) * b
                    spread += G[a, b] * square
                    asked += share[b] * square
                wanted = width * math.sqrt(asked / max(spread, TINY)) if of_width == 1 else mean + off
                low = NARROWEST if of_width == 1 else 0.0
                high = float(bins) if of_width == 1 else bins - 1.0
                step = max(low, min(wanted, high)) - (width if of_width == 1 else mean)
                reach = 1.0
            elif value >= before:
                break
            else:
                reach = reach / 2 if attempt < HALVINGS else 0.0
        means[a] = mean
        widths[a] = width
