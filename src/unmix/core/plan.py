"""The leaf plan: how the rows of a table are cut, decided by its shape alone.

Floating-point sums depend on their order.  Because the cut never depends on the number of threads, on the
executor or on how a file was chunked, every executor adds the same numbers in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

FEWEST_ROWS, MOST_ROWS = 4096, 16384  # a smaller leaf would spend its time on calls
MOST_ENTRIES = 2**18  # a leaf of a wide table has fewer rows, so that it stays near the processor,
WIDE_ROWS, WIDE_ENTRIES = 1024, 2**20  # but not too few, because its d×d sums are added up once a leaf
LEAVES_WANTED = 16  # enough to keep a few threads evenly busy


@dataclass(frozen=True)
class Plan:
    """Leaves of ``rows_per_leaf`` consecutive rows; the last may be shorter."""

    n_rows: int
    rows_per_leaf: int

    @property
    def n_leaves(self) -> int:
        return -(-self.n_rows // self.rows_per_leaf)

    def bounds(self, leaf: int) -> tuple[int, int]:
        start = leaf * self.rows_per_leaf
        return start, min(start + self.rows_per_leaf, self.n_rows)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return (self.bounds(leaf) for leaf in range(self.n_leaves))


def plan_leaves(n_rows: int, n_columns: int) -> Plan:
    """Powers of two, so that the leaves of one table nest in those of a longer one."""
    rows = MOST_ROWS
    while rows > FEWEST_ROWS and rows * LEAVES_WANTED > n_rows:
        rows //= 2
    while rows > 64 and rows * n_columns > (MOST_ENTRIES if rows > WIDE_ROWS else WIDE_ENTRIES):
        rows //= 2
    return Plan(n_rows, rows)
