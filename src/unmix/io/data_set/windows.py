"""How the rows of many files are decoded: whole small files together, a large file in parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Piece(NamedTuple):
    """Rows ``start`` to ``stop`` of a file."""

    file: int
    start: int
    stop: int


class Window(NamedTuple):
    """Pieces of consecutive files; ``first`` is the row of the table that the window begins with."""

    first: int
    pieces: tuple[Piece, ...]

    @property
    def stop(self) -> int:
        return self.first + sum(piece.stop - piece.start for piece in self.pieces)


def make_windows(heights: Sequence[int], most: int, first: int = 0) -> list[Window]:
    """Windows of at most ``most`` rows that cover all files in order; no small file is cut, so none is read twice.

    ``first`` is the row of the table that the files begin with.
    """
    windows: list[Window] = []
    pieces: list[Piece] = []
    held = 0
    for file, height in enumerate(heights):
        for start in range(0, height, most):
            piece = Piece(file, start, min(start + most, height))
            if pieces and held + piece.stop - piece.start > most:
                windows.append(Window(first, tuple(pieces)))
                first, pieces, held = first + held, [], 0
            pieces.append(piece)
            held += piece.stop - piece.start
    return [*windows, Window(first, tuple(pieces))] if pieces else windows
