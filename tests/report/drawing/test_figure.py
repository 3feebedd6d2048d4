"""Labels along the bottom of a chart: inside it, apart from each other, the last always there."""

import pytest

from unmix.report.drawing.figure import LEFT, LETTER, RIGHT, WIDTH, with_room
from unmix.report.drawing.scale import Scale


@pytest.mark.parametrize("numbers", [range(0, 700, 70), [699, 700], [1, 2, 500, 10_000], [123_456_789]])
def test_labels_are_inside_and_apart_and_the_last_is_there(numbers) -> None:
    x = Scale(min(numbers) - 0.5, max(numbers) + 0.5, LEFT, RIGHT)
    kept = with_room(x, [(k, f"{k:,}") for k in numbers])
    ends = [
        edge for middle, shown in kept for edge in (middle - LETTER * len(shown) / 2, middle + LETTER * len(shown) / 2)
    ]
    assert kept[-1][1] == f"{max(numbers):,}"
    assert ends == sorted(ends) and ends[0] >= 0 and ends[-1] <= WIDTH


def test_labels_with_room_stand_below_their_value() -> None:
    x = Scale(0, 100, LEFT, RIGHT)
    assert with_room(x, [(20, "20"), (60, "60")]) == [(x(20), "20"), (x(60), "60")]
