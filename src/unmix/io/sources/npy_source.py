"""A .npy file, mapped into memory and read as its blocks are used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from unmix.core.sources import ArraySource


class NpySource(ArraySource):
    """The rows of an npy file, from column ``first`` on; one dimension is one column. Pickled as its path."""

    def __init__(self, path: str | Path, dtype: Any = None, first: int = 0) -> None:
        self.path, self.first = Path(path).resolve(), first
        # mode "c" gives writeable pages that never reach the file
        array = np.load(self.path, mmap_mode="c", allow_pickle=False)
        array = array[:, None] if array.ndim == 1 else array
        super().__init__(array[:, first:] if first else array, dtype)

    def leave_out_first(self) -> None:
        """From now on without the first column, which only names the rows."""
        self.first, self.X, self.shape = self.first + 1, self.X[:, 1:], (self.shape[0], self.shape[1] - 1)
        self.names = self.names and self.names[1:]

    def __reduce__(self) -> tuple[Any, ...]:
        return NpySource, (self.path, self.dtype, self.first)
