"""First sentences: never surer than repeatable, with what else the number may be."""

from itertools import product

import pytest

from unmix.core.percent import whole_percent
from unmix.validation.selection.probability import Probabilities
from unmix.validation.selection.sureness import cloud_in_words, grade_of, number_in_words

LEVELS = {"": 0, "unstable": 1, "fairly clear": 2, "clear": 3}


def test_no_grade_is_surer_than_repeatable_probable_and_stable():
    tenths = [i / 10 for i in range(11)]
    for probability, same, stability in product(tenths, tenths, tenths):
        grade = grade_of(probability, same, stability)
        if same < 0.5 or probability < 0.5:
            assert grade == ""
        if same < 0.8 or probability < 0.8 or stability < 0.9:
            assert grade != "clear"
        for more in (grade_of(1.0, same, stability), grade_of(probability, 1.0, stability)):
            assert LEVELS[more] >= LEVELS[grade]
    assert grade_of(0.9, 0.9, 0.95) == "clear"


@pytest.mark.parametrize(
    ("said", "grade", "words"),
    [
        (Probabilities(0.99, {3: 0.8, 4: 0.15, 5: 0.02}), "clear", "3 clear clusters (80 %), perhaps 4 (15 %)."),
        (Probabilities(0.99, {3: 0.97}), None, "3 clusters (97 %)."),
        (Probabilities(0.99, {3: 0.4, 4: 0.3}), "", "Clusters, but no number stands out: 3 (40 %), 4 (30 %)."),
        (Probabilities(0.99, {3: 0.4, 4: 0.3}), None, "Clusters, but no number stands out: 3 (40 %), 4 (30 %)."),
        (Probabilities(0.99, {4: 0.4, 3: 0.3}), "", "Clusters, but no number stands out: 4 (40 %), 3 (30 %)."),
        (
            Probabilities(0.99, {3: 0.9}),
            "",
            "Clusters, perhaps 3 (90 %), but fewer than half of the subsamples of the rows give this number.",
        ),
        (Probabilities(0.6, {3: 0.55}), "fairly clear", "Perhaps clusters (60 %): 3 (55 %)."),
    ],
)
def test_words_of_numbers(said, grade, words):
    assert number_in_words(3, said, grade) == words


@pytest.mark.parametrize(
    ("n_directions", "words"),
    [
        (None, "No cluster structure beyond chance (98 %)."),
        (0, "No cluster structure beyond chance (98 %), and no direction either."),
        (1, "No cluster structure beyond chance (98 %), one cloud stretched along one direction."),
        (2, "No cluster structure beyond chance (98 %), one cloud stretched along two directions."),
        (11, "No cluster structure beyond chance (98 %), one cloud stretched along 11 directions."),
    ],
)
def test_words_of_a_cloud(n_directions, words):
    assert cloud_in_words(Probabilities(0.02, {}), n_directions) == words


def test_a_cloud_that_may_be_clusters_is_not_said_to_be_one():
    """55 % for none and 37 % for three is no finding of none."""
    assert (
        cloud_in_words(Probabilities(0.45, {3: 0.37, 4: 0.05}), 1) == "Probably no clusters (55 %), perhaps 3 (37 %)."
    )
    assert cloud_in_words(Probabilities(0.3, {2: 0.05}), 0) == "Probably no clusters (70 %)."


def test_nothing_is_certain():
    assert [whole_percent(p) for p in (0.0, 0.004, 0.5, 0.997, 1.0)] == ["1 %", "1 %", "50 %", "99 %", "99 %"]


def test_the_largest_number_tried_stands_for_all_from_there_on():
    said = Probabilities(0.99, {10: 0.75, 2: 0.12})
    assert number_in_words(10, said, "clear", 10) == "10 or more clusters (75 %), perhaps 2 (12 %)."
    assert number_in_words(10, said, "clear", 12) == "10 clear clusters (75 %), perhaps 2 (12 %)."
    assert "10 or more (75 %)" in number_in_words(10, said, "", 10)
