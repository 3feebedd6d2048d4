"""What all Boolean estimators say of their input."""

import warnings

import numpy as np
import pandas
import pytest
from scipy.sparse import csr_array

from unmix.roles import DiscreteBasis, HammingKMeans, MultiAssignmentClustering, SingleAssignmentClustering

X = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 1, 1]], dtype=float)


@pytest.mark.parametrize("kind", [np.array, csr_array])
def test_values_other_than_zero_and_one_are_named(kind):
    odd = X.copy()
    odd[1, 1] = 3.5
    with pytest.warns(UserWarning, match=r"1 value\(s\) other than 0 and 1, the first 3.5 in column 1; .*threshold "):
        model = DiscreteBasis(2).fit(kind(odd))
    assert np.array_equal(model.roles_, DiscreteBasis(2).fit(X).roles_)


def test_the_column_is_named_where_it_has_a_name():
    frame = pandas.DataFrame(X, columns=["read", "write", "pay", "sign"])
    frame.loc[2, "pay"] = 0.25
    with pytest.warns(UserWarning, match="0.25 in column 'pay'"):
        DiscreteBasis(2).fit(frame)


def test_a_threshold_says_what_a_grant_is():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = DiscreteBasis(2, threshold=10).fit(20 * X + 5)
    assert np.array_equal(model.inverse_transform(model.transform(20 * X + 5)), X)


def test_wrong_codes_and_masks_are_refused():
    model = DiscreteBasis(2).fit(X)
    with pytest.raises(ValueError, match="one column a role"):
        model.inverse_transform(np.ones((2, 5)))
    for mask in (np.ones(3, bool), np.ones(4)):
        with pytest.raises(ValueError, match="mask of 4 permissions"):
            model.complete(X, mask)


def test_score_is_minus_the_deviation():
    model = HammingKMeans(2, random_state=0).fit(X)
    wrong = np.abs(X - model.inverse_transform(model.transform(X))).mean()
    assert np.isclose(model.score(X), -wrong) and np.isclose(model.score(csr_array(X)), -wrong)


def test_hidden_permissions_are_not_looked_at():
    shown = np.array([True, False, True, False])
    kinds = (HammingKMeans, MultiAssignmentClustering, SingleAssignmentClustering)
    for model in (DiscreteBasis(2).fit(X), *(kind(2, random_state=0).fit(X) for kind in kinds)):
        other = X.copy()
        other[:, ~shown] = 1 - other[:, ~shown]
        assert np.array_equal(model.complete(X, shown), model.complete(other, shown))
    assert np.array_equal(DiscreteBasis(2).fit(X).complete(X, shown), X)
