"""The line of probabilities: most probable first, nothing that is not worth naming, the rest together."""

import pytest

from unmix.exploration.findings.probable import numbers_in_words


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ([0.03, 0.0, 0.8, 0.12], "3 clusters 80 %, 4 clusters 12 %, no clusters 3 %, another number 5 %."),
        ([0.98, 0.01, 0.01, 0.0], "no clusters 98 %."),
        ([None, 0.5, 0.5, 0.0], "2 clusters 50 %, 3 clusters 50 %."),
        ([], ""),
    ],
)
def test_numbers_in_words(shares, words):
    assert numbers_in_words([1, 2, 3, 4], shares) == words
