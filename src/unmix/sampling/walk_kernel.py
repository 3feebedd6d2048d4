"""A compiled walk: the next state is where a uniform number falls among the running sums of the row."""

from typing import Any

from unmix.core.compiled.kernel import kernel


@kernel
def walk(heights: Any, indices: Any, indptr: Any, uniform: Any, path: Any) -> None:
    """``path[0]`` is given; ``heights`` are running sums of each row's probabilities, ``uniform`` one number a step."""
    for t in range(uniform.size):
        low, high = indptr[path[t]], indptr[path[t] + 1] - 1
        level = uniform[t] * heights[high]
        while low < high:
            middle = (low + high) // 2
            if heights[middle] > level:
                high = middle
            else:
                low = middle + 1
        path[t + 1] = indices[low]
