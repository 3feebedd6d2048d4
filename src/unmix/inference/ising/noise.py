"""Random thresholds for a sweep of spin flips: one number a spin decides, so that a flip needs no exponential.

    Metropolis  min(1, exp(-beta D)):     beta D < -log u            is true with that probability, u uniform
    heat bath   1 / (1 + exp(beta D)):    beta D < log((1 - u) / u)

Uniform numbers are 31 bits of xoshiro128+ (Blackman & Vigna, ACM Trans. Math. Software 47, 2021), sixteen streams side
by side so that the compiler works on whole registers. log(2^e m) = e log 2 + log m, with m from 1/√2 to √2 and a
polynomial for log m of absolute error below 1e-6. A flip of probability below 2^-32 is never made.

Sweeps in a fixed order with Metropolis' rule flip every free spin every time, so two such spins never part: the lazy
form lets a coin decide whether a spin is asked at all, and is the one to sample with.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from unmix.core.compiled.kernel import kernel

STREAMS = 16
METROPOLIS, HEAT_BATH, LAZY_METROPOLIS = 0, 1, 2
MASK = 0xFFFFFFFF
LOG_2 = math.log(2.0)


class Noise(NamedTuple):
    """The state of the random numbers, the thresholds last drawn, and room to draw them in."""

    a: Any  # (STREAMS,) words each
    b: Any
    c: Any
    d: Any
    bits: Any  # (n,) int32
    x: Any  # (n,) float32, as all that follow
    x_bits: Any  # the same memory as int32
    power: Any
    rest: Any
    rest_bits: Any
    other: Any
    thresholds: Any


def begin_noise(rng: np.random.Generator, size: int) -> Noise:
    """For `size` spins, a multiple of STREAMS; any words but all zeros are a good start."""
    a, b, c, d = rng.integers(1, 2**32, size=(4, STREAMS), dtype=np.uint32)
    x, power, rest, other, thresholds = np.empty((5, size), np.float32)
    x_bits, rest_bits = x.view(np.int32), rest.view(np.int32)
    return Noise(a, b, c, d, np.empty(size, np.int32), x, x_bits, power, rest, rest_bits, other, thresholds)


@kernel
def draw_bits(a: Any, b: Any, c: Any, d: Any, bits: Any) -> None:
    """Fill `bits`, whose length is a multiple of STREAMS, and move the streams on."""
    for start in range(0, bits.size, STREAMS):
        for i in range(STREAMS):
            bits[start + i] = ((int(a[i]) + int(d[i])) & MASK) >> 1
            shifted = (int(b[i]) << 9) & MASK
            c[i] ^= a[i]
            d[i] ^= b[i]
            b[i] ^= c[i]
            a[i] ^= d[i]
            c[i] = int(c[i]) ^ shifted
            last = int(d[i])
            d[i] = ((last << 11) & MASK) | (last >> 21)


@kernel(fastmath={"contract"})
def minus_log(x: Any, x_bits: Any, power: Any, rest: Any, rest_bits: Any, out: Any) -> None:
    """out = 31 log 2 - log x for x from ½ to 2^31; `x_bits` and `rest_bits` are the same memory as x and rest."""
    for i in range(x.size):
        # 0x3F3504F3 are the bits of 1/√2: subtracting them leaves the power of two in the high bits
        shifted = x_bits[i] - np.int32(0x3F3504F3)
        rest_bits[i] = (shifted & np.int32(0x007FFFFF)) + np.int32(0x3F3504F3)
        power[i] = np.float32(shifted >> 23)
    for i in range(x.size):
        y = rest[i] - np.float32(1.0)
        square = y * y
        value = np.float32(7.0376836292e-2)
        value = value * y + np.float32(-1.1514610310e-1)
        value = value * y + np.float32(1.1676998740e-1)
        value = value * y + np.float32(-1.2420140846e-1)
        value = value * y + np.float32(1.4249322787e-1)
        value = value * y + np.float32(-1.6668057665e-1)
        value = value * y + np.float32(2.0000714765e-1)
        value = value * y + np.float32(-2.4999993993e-1)
        value = value * y + np.float32(3.3333331174e-1)
        log_rest = y + (value * y - np.float32(0.5)) * square
        out[i] = np.float32(LOG_2) * (np.float32(31.0) - power[i]) - log_rest


@kernel
def draw_thresholds(rule: int, scale: float, noise: Any) -> None:
    """noise.thresholds[i] <- scale times the random threshold of spin i under the rule."""
    bits = noise.bits
    out = noise.thresholds
    draw_bits(noise.a, noise.b, noise.c, noise.d, bits)
    factor = np.float32(scale)
    for i in range(out.size):
        noise.x[i] = np.float32(bits[i]) + np.float32(0.5)
    minus_log(noise.x, noise.x_bits, noise.power, noise.rest, noise.rest_bits, out)
    if rule == HEAT_BATH:
        for i in range(out.size):
            noise.x[i] = np.float32(np.int32(0x7FFFFFFF) - bits[i]) + np.float32(0.5)
        minus_log(noise.x, noise.x_bits, noise.power, noise.rest, noise.rest_bits, noise.other)
        for i in range(out.size):
            out[i] = factor * (out[i] - noise.other[i])
        return
    for i in range(out.size):
        out[i] *= factor
    if rule == LAZY_METROPOLIS:
        for i in range(out.size):
            out[i] = out[i] if bits[i] & 1 else -np.float32(np.inf)
