"""Is there room for a run: what it may need at most, against what the machine has left."""

from __future__ import annotations

# A process that explores, before it has seen a table, and what a byte of a file becomes while it is cut into cells.
# Above the peaks measured on CSV files of ten numbers a row: 390 MB for 0.3 MB, 438 MB for 5.5 MB, 612 MB for 37 MB.
BASE_BYTES, BYTES_PER_BYTE = 450 * 2**20, 14


def lacking(file_bytes: int, free: int) -> str | None:
    """Why a run should not start, in a sentence with the remedy; None if there is room."""
    needed = BASE_BYTES + BYTES_PER_BYTE * file_bytes
    if needed <= free:
        return None
    return (
        f"This table may need {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free. Close other programs, "
        "or give a part of the table: fewer rows or fewer columns."
    )
