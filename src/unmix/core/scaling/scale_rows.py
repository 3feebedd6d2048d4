"""y = scale x - shift, row by row; compiled, because broadcasting over a few columns spends its time on the loop."""

import numpy as np

from unmix.core.compiled.kernel import kernel


@kernel
def scale_rows(x: np.ndarray, scale: np.ndarray, shift: np.ndarray, y: np.ndarray) -> None:
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            y[i, j] = x[i, j] * scale[j] - shift[j]
