"""Terms of Gaussian kernel sums over pairs of a query leaf and data leaves, a register of queries at a time.

    total_q += w_j 2^(reference_q - |q - y_j|²)

2^x = 2^m 2^f with m = round(x), |f| ≤ ½; 2^f is the polynomial of degree 9 through Chebyshev's points, relative error
below 2e-14, and 2^m is written into the exponent bits, so that nothing in the inner loops branches or calls.
"""

import numpy as np
from numpy.polynomial import chebyshev

from unmix.algorithms.independent.hyperbolic import two_to
from unmix.core.compiled.kernel import kernel

ROUNDER = 1.5 * 2.0**52  # adding it leaves round(x) in the last bits
LOWEST = -1020.0  # 2^x below it counts as 2^-1020: nothing, beside a term of 1
ABSENT = 1e305  # squared distance of what is left out: beyond that of any pair
RUN = 16  # rows whose distances are kept side by side, near the processor
POINTS = chebyshev.chebpts1(10)
C0, C1, C2, C3, C4, C5, C6, C7, C8, C9 = (
    float(c) for c in chebyshev.cheb2poly(chebyshev.chebfit(POINTS, 2.0 ** (POINTS / 2), 9)) * 2.0 ** np.arange(10)
)


@kernel(fastmath={"contract"}, error_model="numpy")
def fill_squares(queries: np.ndarray, rows: np.ndarray, squares: np.ndarray, leave_out: bool) -> None:
    """squares[j, r] = |queries[:, r] - rows[j]|², ABSENT in place of 0 with ``leave_out``.

    Columns come in twos or fours, filled up with zeros.
    """
    m, columns = queries.shape[1], rows.shape[1]
    for j in range(rows.shape[0]):
        line = squares[j]
        if columns == 2:
            q0, q1, x0, x1 = queries[0], queries[1], rows[j, 0], rows[j, 1]
            for r in range(m):
                s, t = q0[r] - x0, q1[r] - x1
                line[r] = s * s + t * t
        else:
            for r in range(m):
                line[r] = 0.0
            for k in range(0, columns, 4):
                q0, q1, q2, q3 = queries[k], queries[k + 1], queries[k + 2], queries[k + 3]
                x0, x1, x2, x3 = rows[j, k], rows[j, k + 1], rows[j, k + 2], rows[j, k + 3]
                for r in range(m):
                    s, t, u, v = q0[r] - x0, q1[r] - x1, q2[r] - x2, q3[r] - x3
                    line[r] += s * s + t * t + u * u + v * v
        if leave_out:
            for r in range(m):
                line[r] = line[r] if line[r] > 0.0 else ABSENT


@kernel(error_model="numpy")
def lower_reference(
    queries: np.ndarray, rows: np.ndarray, visit: np.ndarray, leave_out: bool, reference: np.ndarray
) -> None:
    """The squared distance to the nearest row of the visited leaves, if it is below the reference so far."""
    squares = np.empty((RUN, reference.size))
    for leaf in visit:
        for start in range(0, rows.shape[1], RUN):
            part = rows[leaf, start : start + RUN]
            fill_squares(queries, part, squares, leave_out)
            for j in range(part.shape[0]):
                line = squares[j]
                for r in range(reference.size):
                    reference[r] = line[r] if line[r] < reference[r] else reference[r]


@kernel(fastmath={"contract"}, error_model="numpy")
def add_leaves(
    queries: np.ndarray,
    rows: np.ndarray,
    weights: np.ndarray,
    visit: np.ndarray,
    leave_out: bool,
    reference: np.ndarray,
    total: np.ndarray,
    left_out: np.ndarray,
    moments: np.ndarray,
) -> None:
    """Add the visited leaves to the totals, the moments Σ w 2^(·) (y_j - q), and the weight of what is left out."""
    m = reference.size
    squares, terms = np.empty((RUN, m)), np.empty(m)
    for leaf in visit:
        for start in range(0, rows.shape[1], RUN):
            part = rows[leaf, start : start + RUN]
            fill_squares(queries, part, squares, leave_out)
            for j in range(part.shape[0]):
                line, weight = squares[j], weights[leaf, start + j]
                for r in range(m):
                    x = reference[r] - line[r]
                    x = x if x > LOWEST else LOWEST
                    whole = x + ROUNDER
                    f = x - (whole - ROUNDER)
                    v = (((C9 * f + C8) * f + C7) * f + C6) * f + C5
                    v = ((((v * f + C4) * f + C3) * f + C2) * f + C1) * f + C0
                    term = weight * (v * two_to(whole))
                    terms[r] = term
                    total[r] += term
                if leave_out:
                    for r in range(m):
                        left_out[r] += weight if line[r] == ABSENT else 0.0
                for k in range(moments.shape[0]):
                    target, q, x = moments[k], queries[k], part[j, k]
                    for r in range(m):
                        target[r] += terms[r] * (x - q[r])
