"""The lasso's exact answer from one that is near it: coefficients enter and leave until the conditions hold.

    given signs s of the active ones,  A_Sᵀ A_S x = A_Sᵀ b - prices s     is the minimum as long as no sign changes

Towards it the cost falls; where coefficients cross 0 on the way, the cheapest of the crossings is taken and what is 0
there leaves. Then the coefficient enters whose slope exceeds its price the most. Where active columns depend on each
other, A_S δ = 0, the cheaper of the ways ±δ is gone until a coefficient is 0. The cost falls in every turn, so no set
of signs comes twice. Lee, Battle, Raina & Ng, Efficient sparse coding algorithms (feature-sign search), NIPS 2007.
"""

from __future__ import annotations

import numpy as np

ROUNDING = 1e-13  # of slopes, as a share of ‖A_j‖ ‖b‖
DEPENDENT = 1e-12  # columns whose least singular value is below this share of the largest
WORK = 1e10  # multiplications at most, about


def from_near(A: np.ndarray, b: np.ndarray, prices: np.ndarray, x: np.ndarray) -> np.ndarray | None:
    """The minimiser of ½ ‖A x - b‖² + prices·|x|, or None where it is too far away."""
    x, signs = x.copy(), np.sign(x)
    noise = ROUNDING * np.linalg.norm(b) * np.linalg.norm(A, axis=0)
    for _ in range(_most_turns(A.shape, int(np.count_nonzero(x)))):
        active = np.flatnonzero(signs)
        x[active], arrived = _turn(A[:, active], b, prices[active], x[active], signs[active])
        signs = np.sign(x)
        if not arrived:
            continue
        slopes = A.T @ (b - A @ x)
        excess = np.where(signs == 0, np.abs(slopes) - prices, 0.0) - noise
        enters = int(np.argmax(excess))
        if excess[enters] <= 0:
            return x
        signs[enters] = np.sign(slopes[enters])
    return None


def _most_turns(shape: tuple[int, ...], support: int) -> int:
    n, least = shape[0], min(shape)
    return max(1, min(2 * least + max(0, support - n), int(WORK / (n * max(support, 1) * min(n, max(support, 1))))))


def _turn(
    columns: np.ndarray, b: np.ndarray, prices: np.ndarray, x: np.ndarray, signs: np.ndarray
) -> tuple[np.ndarray, bool]:
    """The active coefficients after one turn, and whether they are the best of their signs."""
    if len(x) == 0:
        return x, True
    _, values, right = np.linalg.svd(columns)
    if len(x) > len(columns) or values[-1] <= DEPENDENT * values[0]:
        return _slide(x, right[-1], prices * signs), False
    orthonormal, triangle = np.linalg.qr(columns)
    goal = np.linalg.solve(triangle, orthonormal.T @ b - np.linalg.solve(triangle.T, prices * signs))
    best = _towards(columns, b, prices, x, goal)
    return best, bool((np.sign(best) == signs).all())


def _slide(x: np.ndarray, way: np.ndarray, charges: np.ndarray) -> np.ndarray:
    """Along a way that changes no fit, to where the first coefficient is 0."""
    way = -way if charges @ way > 0 else way
    falling = np.flatnonzero(x * way < 0)
    if not len(falling):
        return np.zeros_like(x)  # only without prices: begin again
    lengths = -x[falling] / way[falling]
    nearest = int(np.argmin(lengths))
    moved = x + lengths[nearest] * way
    moved[falling[nearest]] = 0.0
    return np.asarray(moved)


def _towards(columns: np.ndarray, b: np.ndarray, prices: np.ndarray, x: np.ndarray, goal: np.ndarray) -> np.ndarray:
    """The cheapest of the goal and of the points at which a coefficient becomes 0 before it."""
    crossing = np.flatnonzero(x * goal < 0)
    shares = x[crossing] / (x[crossing] - goal[crossing])
    points = x + shares[:, None] * (goal - x)
    points[np.arange(len(crossing)), crossing] = 0.0
    points = np.vstack([goal, points])
    costs = np.square(points @ columns.T - b).sum(axis=1) / 2 + np.abs(points) @ prices
    return np.asarray(points[np.argmin(costs)])
