"""What one variable says about another when a third is known.

    I(X;Y|Z) = Σ p(x,y,z) log [ p(x,y,z) p(z) / (p(x,z) p(y,z)) ] = H(X,Z) + H(Y,Z) - H(X,Y,Z) - H(Z)

Chain rule: I(X;Y,Z) = I(X;Z) + I(X;Y|Z).  Reference: Cover & Thomas, Elements of Information Theory, 2.5 (2006).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.information.bias import checked_correction, corrected_nats
from unmix.information.distribution import as_distribution, units


class Cells(NamedTuple):
    """The cells of a table that hold something: the values of X, Y and Z there, as numbers, and how much."""

    places: tuple[np.ndarray, np.ndarray, np.ndarray]
    amounts: np.ndarray

    def margin(self, *axes: int) -> tuple[np.ndarray, np.ndarray]:
        """The sums over the other axes, and for each cell the number of its sum."""
        number = np.zeros(len(self.amounts), dtype=np.int64)
        for axis in axes:
            number = number * (int(self.places[axis].max()) + 1) + self.places[axis]
        _, number = np.unique(number, return_inverse=True)
        return np.bincount(number, self.amounts), number


def conditional_mutual_information(
    joint: Any, y: Any = None, z: Any = None, *, correction: str = "none", base: float = 2.0
) -> float:
    """I(X;Y|Z) of a joint table with three axes, or of three lists of labels.

    Parameters
    ----------
    joint : array-like of shape (n, m, l), or the labels of X
        Probabilities or counts, one axis each for X, Y and Z. With `y` and `z`: the value of X in each observation.
    y, z : array-likes of labels, optional
        The values of Y and Z in the same observations; of two dimensions where a variable is several columns together.
        Only cells that occur are held in memory.
    correction : {"none", "miller-madow", "grassberger", "chao-shen"}, default="none"
        Counts of variables that are independent given Z show information by chance, about (n - 1)(m - 1) l / 2N nats
        for N counts. A correction (see `entropy`) takes it off; what remains scatters around zero and is not cut off.
    base : float, default=2
        2 counts in bits, numpy.e in nats.

    Notes
    -----
    Cost: sorting the cells that hold something, or the observations.

    References
    ----------
    Cover and Thomas, Elements of Information Theory, 2006, chapter 2.

    Examples
    --------
    Two coins say nothing about each other, until it is known whether they fell alike:

    >>> first, second = [0, 0, 1, 1], [0, 1, 0, 1]
    >>> alike = [1, 0, 0, 1]
    >>> conditional_mutual_information(first, second, alike)
    1.0
    >>> conditional_mutual_information(np.ones((2, 2, 2)))
    0.0
    """
    cells = _cells_of_table(joint) if y is None and z is None else _cells_of_labels(joint, y, z)
    together = [(0, 2), (1, 2), (2,)]
    if checked_correction(correction) != "none":
        xz, yz, only_z = (corrected_nats(cells.margin(*axes)[0], correction, "joint") for axes in together)
        return (xz + yz - only_z - corrected_nats(cells.amounts, correction, "joint")) / units(base)
    share = cells.amounts / cells.amounts.sum()
    xz, yz, only_z = (sums[number] for sums, number in (Cells(cells.places, share).margin(*axes) for axes in together))
    return max(0.0, float((share * np.log(share / xz * (only_z / yz))).sum())) / units(base)


def _cells_of_table(joint: Any) -> Cells:
    if np.ndim(joint) != 3:
        raise ValueError(
            f"joint has {np.ndim(joint)} dimension(s); give a table with an axis each for X, Y and Z, or labels x, y, z"
        )
    as_distribution(joint, "joint")  # speaks up about NaN, negative numbers and empty tables
    table = np.asarray(joint, dtype=np.float64)
    x, y, z = np.nonzero(table)
    return Cells((x, y, z), table[x, y, z])


def _cells_of_labels(x: Any, y: Any, z: Any) -> Cells:
    if y is None or z is None:
        raise ValueError("labels of X, Y and Z are needed; give all three, or a table with three axes")
    numbers = [_numbered(labels, name) for labels, name in zip((x, y, z), "xyz")]
    if len({len(each) for each in numbers}) > 1:
        raise ValueError(
            f"x, y and z have {', '.join(str(len(each)) for each in numbers)} labels; give as many of each"
        )
    cells, counts = np.unique(np.stack(numbers), axis=1, return_counts=True)
    return Cells((cells[0], cells[1], cells[2]), counts.astype(np.float64))


def _numbered(labels: Any, name: str) -> np.ndarray:
    """Each observation's value as a number; of several columns each combination that occurs."""
    array = np.asarray(labels)
    if array.ndim not in (1, 2) or len(array) == 0:
        raise ValueError(f"{name} has shape {array.shape}; give one label for each observation")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"{name} holds NaN, which is no label; leave such observations out, or name them")
    array = array.astype(str) if array.dtype == object else array
    return np.unique(array, axis=0, return_inverse=True)[1].ravel()
