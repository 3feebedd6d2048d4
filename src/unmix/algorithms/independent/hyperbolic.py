"""tanh, exp and log cosh of whole arrays, without a call an element.

    exp(x) = 2^m exp(f),  m = round(x / ln 2),  |f| ≤ ½ ln 2;   tanh|y| = (1 - u) / (1 + u),  u = exp(-2 |y|)
    log cosh y = |y| + log(1 + u) - log 2;   Σ log(1 + u) = log Π (1 + u), one logarithm for many factors

exp(f) is its Taylor polynomial, of degree 6 in float32 and 12 in float64; 2^m is made by writing m into the exponent
bits. Nothing in the loop branches or calls, so the compiler works on a register of elements at once. The absolute error
of tanh is below 2e-7 in float32 and 4e-16 in float64; exp(x) for x < -41 counts as exp(-41) = 1.6e-18.
"""

import math
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config
from numba.extending import intrinsic

from unmix.core.compiled.kernel import kernel

RUN = 512  # elements whose factors 1 + u ≤ 2 are kept side by side: up to 100 runs before float32 overflows


@cache
def constants(dtype: Any) -> tuple[Any, ...]:
    """The numbers of the formulas in this precision, so that no float32 is turned into a float64 on the way."""
    single = np.dtype(dtype) == np.float32
    degree, digits = (6, 23) if single else (12, 52)
    series = [1 / math.factorial(i) if i <= degree else 0.0 for i in range(12, -1, -1)]
    # 1 / ln 2; what leaves round(x) in the last bits when added; the first bits of ln 2 and the rest
    numbers = [1 / math.log(2), 1.5 * 2.0**digits, 0.693145751953125, 1.42860682030941723212e-6]
    kind = np.dtype(dtype).type
    odd = [1 / (2 * i + 1) if i <= degree + 4 else 0.0 for i in range(16, 0, -1)]  # artanh v = v + v³/3 + v⁵/5 + ...
    return tuple(kind(number) for number in [*numbers, -41.0, 1.0, 2.0, *series, *odd, math.log(2)])


if config.DISABLE_JIT:

    def two_to(whole: Any) -> Any:
        """2^m, where ``whole`` is m plus the constant that leaves m in its last bits."""
        rounder = constants(whole.dtype)[1]
        return whole.dtype.type(2.0 ** float(whole - rounder))

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def two_to(typing: Any, whole: Any) -> Any:
        """2^m, where ``whole`` is m plus the constant that leaves m in its last bits."""
        word = ir.IntType(whole.bitwidth)
        bias, digits = (127, 23) if whole.bitwidth == 32 else (1023, 52)

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            power = builder.add(builder.bitcast(arguments[0], word), ir.Constant(word, bias))
            return builder.bitcast(builder.shl(power, ir.Constant(word, digits)), arguments[0].type)

        return whole(whole), code


@kernel(error_model="numpy", inline="always")
def exponential(x: Any, c: Any, single: bool) -> Any:
    """exp(x) for x ≤ 0; ``single`` is known to the compiler and spares the terms that float32 does not see."""
    x = x if x > c[4] else c[4]
    whole = x * c[0] + c[1]
    m = whole - c[1]
    f = x - m * c[2] - m * c[3]
    v = c[13]
    if not single:
        v = (((((c[7] * f + c[8]) * f + c[9]) * f + c[10]) * f + c[11]) * f + c[12]) * f + c[13]
    v = (((((v * f + c[14]) * f + c[15]) * f + c[16]) * f + c[17]) * f + c[18]) * f + c[19]
    return v * two_to(whole)


# "contract" allows fused multiplication and addition, nothing else; the numpy model has no branch for a division by 0
@kernel(fastmath={"contract"}, error_model="numpy")
def fill_tanh(y: np.ndarray, scale: float, out: np.ndarray, c: Any) -> None:
    """out = tanh(scale y) for flat arrays; scale > 0."""
    for r in range(y.size):
        u = exponential(-c[6] * scale * abs(y[r]), c, y.itemsize == 4)
        t = (c[5] - u) / (c[5] + u)
        out[r] = t if y[r] > 0 else -t


@kernel(fastmath={"contract"}, error_model="numpy")
def fill_bell(y: np.ndarray, out: np.ndarray, half: float, c: Any) -> None:
    """out = exp(-y² / 2); ``half`` is ½ in the precision of y."""
    for r in range(y.size):
        out[r] = exponential(-half * y[r] * y[r], c, y.itemsize == 4)


@kernel(fastmath={"contract"}, error_model="numpy")
def fill_log_cosh(y: np.ndarray, out: np.ndarray, c: Any) -> None:
    """out = log cosh y. log(1 + u) = 2 artanh v, v = u / (2 + u) ≤ 1/3: an odd series of 17 terms."""
    for r in range(y.size):
        size = abs(y[r])
        u = exponential(-c[6] * size, c, y.itemsize == 4)
        v = u / (c[6] + u)
        q = v * v
        p = c[20]
        p = ((((p * q + c[21]) * q + c[22]) * q + c[23]) * q + c[24]) * q + c[25]
        p = ((((p * q + c[26]) * q + c[27]) * q + c[28]) * q + c[29]) * q + c[30]
        p = ((((p * q + c[31]) * q + c[32]) * q + c[33]) * q + c[34]) * q + c[35]
        out[r] = size + c[6] * v * (p * q + c[5]) - c[36]


@kernel(fastmath={"contract"}, error_model="numpy")
def fill_tanh_and_log(y: np.ndarray, scale: float, out: np.ndarray, factors: np.ndarray, c: Any) -> float:
    """out = tanh(scale y), and the sum of log(1 + exp(-2 scale |y|)); ``factors`` has room for RUN numbers."""
    for r in range(factors.size):
        factors[r] = c[5]
    total = 0.0
    for start in range(0, y.size, RUN):
        part, result = y[start : start + RUN], out[start : start + RUN]
        for r in range(part.size):
            u = exponential(-c[6] * scale * abs(part[r]), c, y.itemsize == 4)
            t = (c[5] - u) / (c[5] + u)
            result[r] = t if part[r] > 0 else -t
            factors[r] *= c[5] + u
        if (start // RUN) % 64 == 63:  # before the products overflow
            for r in range(factors.size):
                total += math.log(factors[r])
                factors[r] = c[5]
    for r in range(factors.size):
        total += math.log(factors[r])
    return total
