"""Numbers of clusters side by side: colours follow groups, blocks and ribbons follow counts."""

import re
from itertools import pairwise, permutations

import numpy as np
import pytest

from tests.report.made_up import made_up
from unmix.report.flows import AIR, TALL, blocks_of, colours, cuts, flows, ribbons_of


def test_below_the_chosen_number_groups_have_the_colours_they_share_most_rows_with() -> None:
    rng = np.random.default_rng(0)
    own = rng.integers(4, size=200)
    merged = np.array([1, 0, 2, 1])[own]  # groups 0 and 3 become 1, 1 becomes 0, 2 stays
    found = colours({"k": 3, "labels": merged.tolist()}, own.tolist(), 4)
    agreed = {pair: sum(c == pair[label] for label, c in zip(merged, own)) for pair in permutations(range(4), 3)}
    assert tuple(found) == max(agreed, key=agreed.__getitem__)


def test_from_the_chosen_number_on_labels_are_colours() -> None:
    assert colours({"k": 5, "labels": [4, 3, 0]}, [0, 1, 2], 3) == [0, 1, 2, 3, 4]


def test_blocks_are_as_tall_as_groups_are_large_and_ribbons_fill_them() -> None:
    every = cuts(made_up())
    n = len(every[0].labels)
    for left, right in pairwise(every):
        blocks, after = blocks_of(left), blocks_of(right)
        sizes = np.bincount(left.labels, minlength=left.k)
        room = TALL - AIR * (len(blocks) - 1)
        for label, (_, height) in blocks.items():
            assert height == pytest.approx(room * sizes[label] / n)
        bands = ribbons_of(left, right, blocks, after, 0.0, 40.0, 0)
        ends = [[float(v) for v in re.findall(r"-?\d+\.\d", re.search(r' d="([^"]*)"', band)[1])] for band in bands]
        assert sum(end[-1] - end[1] for end in ends) == pytest.approx(room, abs=0.1 * len(bands))


def test_one_number_alone_is_no_comparison() -> None:
    findings = made_up()
    findings["alternatives"] = findings["alternatives"][:1]
    assert flows(findings) is None
    assert flows(made_up() | {"alternatives": []}) is None
    assert len(cuts(made_up(k=1))) == len(made_up(k=1)["alternatives"]) + 1
