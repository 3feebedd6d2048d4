"""Rooms for kernels: zeros that begin at a line of the cache and do not touch each other."""

import numpy as np
import pytest

from unmix.core.compiled.cache_lines import LINE, rooms_at_line, zeros_at_line


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_room_begins_at_a_line_and_is_its_own(dtype):
    shapes = [(3, 5), (7,), (1, 1), (2, 16)]
    rooms = rooms_at_line(dtype, *shapes)
    assert [room.shape for room in rooms] == shapes
    for i, room in enumerate(rooms):
        assert room.dtype == dtype and room.flags.c_contiguous
        assert room.ctypes.data % LINE == 0
        assert not room.any()
        room[:] = i + 1
    assert [set(room.ravel()) for room in rooms] == [{1}, {2}, {3}, {4}]


def test_one_array():
    assert zeros_at_line((4, 3), np.float32).shape == (4, 3)
