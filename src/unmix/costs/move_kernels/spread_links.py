"""The compiled update of pulls (links.py) after one object has moved."""

from typing import Any

from unmix.core.compiled.kernel import kernel


@kernel(no_cpython_wrapper=True)
def spread(dense: Any, starts: Any, neighbours: Any, weights: Any, i: int, c: int, amount: float, pull: Any) -> None:
    """pull[c, j] += amount W_ij for all neighbours j of i."""
    if dense.size:
        for j in range(dense.shape[1]):
            pull[c, j] += amount * dense[i, j]
    else:
        for at in range(starts[i], starts[i + 1]):
            pull[c, neighbours[at]] += amount * weights[at]
