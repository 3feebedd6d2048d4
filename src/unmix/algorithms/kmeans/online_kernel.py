"""The compiled loops of the online rules: rows one by one, the winner found, prototypes moved towards the row.

Prototypes are held as (d, k), so that the inner loops run along them.
"""

from typing import Any

from unmix.core.compiled.kernel import kernel


@kernel
def measure_row(row: Any, turned: Any, squares: Any) -> None:
    """Squared distances of one row to all prototypes, from differences."""
    d, k = turned.shape
    for c in range(0, k - 3, 4):  # four at once, in registers
        first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
        for j in range(d):
            first += (row[j] - turned[j, c]) ** 2
            second += (row[j] - turned[j, c + 1]) ** 2
            third += (row[j] - turned[j, c + 2]) ** 2
            fourth += (row[j] - turned[j, c + 3]) ** 2
        squares[c], squares[c + 1], squares[c + 2], squares[c + 3] = first, second, third, fourth
    for c in range(k - k % 4, k):
        squares[c] = 0.0
        for j in range(d):
            squares[c] += (row[j] - turned[j, c]) ** 2


@kernel
def smallest(values: Any) -> int:
    """The first of the smallest."""
    best, least = 0, values[0]
    for c in range(1, values.size):
        best, least = (c, values[c]) if values[c] < least else (best, least)
    return best


@kernel
def learn_map(rows: Any, turned: Any, H: Any, exact: bool, rates: Any, squares: Any, pooled: Any) -> float:
    """u_r += rate H_cr / H_cc (x - u_r) for all nodes r, c the winner; returns the sum of the winners' distances²."""
    (d, k), total = turned.shape, 0.0
    for i in range(rows.shape[0]):
        measure_row(rows[i], turned, squares)
        if exact:
            for c in range(k):
                pooled[c] = 0.0
                for r in range(k):
                    pooled[c] += H[c, r] * squares[r]
            winner = smallest(pooled)
        else:
            winner = smallest(squares)
        total += squares[winner]
        for r in range(k):
            pooled[r] = rates[i] * H[winner, r] / H[winner, winner]
        for j in range(d):
            for r in range(k):
                turned[j, r] += pooled[r] * (rows[i, j] - turned[j, r])
    return total


@kernel
def learn_means(
    rows: Any, turned: Any, wins: Any, inverse: bool, rate: float, delay: float, power: float, squares: Any
) -> float:
    """u_c += ε (x - u_c) for the winner c; returns the sum of the winners' distances².

    With t the rows c has won, this one included: ε = 1/(t + 1) if `inverse`, else
    rate ((1 + delay) / (t + delay))^power.
    """
    total = 0.0
    for i in range(rows.shape[0]):
        measure_row(rows[i], turned, squares)
        c = smallest(squares)
        total += squares[c]
        wins[c] += 1.0
        if inverse:
            step = 1.0 / (wins[c] + 1.0)
        else:
            step = rate * ((1.0 + delay) / (wins[c] + delay)) ** power
        for j in range(turned.shape[0]):
            turned[j, c] += step * (rows[i, j] - turned[j, c])
    return total
