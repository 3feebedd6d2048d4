"""Every hostile input to every estimator; `python -m tests.hostile` prints the table."""

import numpy as np
import pytest

from tests.hostile.outcome import answers
from tests.hostile.table import CASES, SUBJECT_NAMES, outcome

pytestmark = pytest.mark.slow_without_jit


@pytest.mark.parametrize("subject", SUBJECT_NAMES)
def test_a_right_answer_or_a_clear_sentence(subject, tmp_path):
    found = {case: outcome(subject, case, tmp_path) for case in CASES}
    assert {case: problem for case, problem in found.items() if problem} == {}


class Fitted:
    """An estimator that does one thing wrong."""

    def __init__(self, wrong=None):
        self.wrong = wrong

    def get_params(self, deep=False):
        return {"wrong": self.wrong}

    def fit(self, X):
        self.mean_ = np.nan if self.wrong == "nan" else 1.0
        if self.wrong == "raw":
            np.zeros((2, 2)) @ np.zeros(3)
        if self.wrong == "warning":
            np.float64(1e300) ** 2
        if self.wrong == "index":
            [].pop()
        return self


@pytest.mark.parametrize("wrong", ["nan", "raw", "warning", "index"])
def test_what_is_wrong_is_seen(wrong):
    assert answers(Fitted(), np.ones((3, 2)), fit=True) is None
    assert answers(Fitted(wrong), np.ones((3, 2)), fit=True)
