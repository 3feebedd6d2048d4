"""How strongly normal codes let components that tell little be held down."""

import numpy as np
import pytest

from unmix.constraints import Normal
from unmix.decomposition import Factorization


@pytest.mark.parametrize("given", [0, -1.0, np.nan, "many"])
def test_a_bound_that_is_none_is_refused_in_words(given):
    with pytest.raises(ValueError, match="most_precision"):
        Normal(given)


def test_under_a_high_bound_components_that_tell_nothing_vanish():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2)) @ rng.normal(size=(2, 8)) + rng.uniform(0.4, 1.0, 8) * rng.normal(size=(600, 8))
    sizes = {}
    for most in (10.0, 1e5):
        model = Factorization(5, codes=Normal(most), loss="squared", scale="column", random_state=0).fit(X)
        sizes[most] = np.linalg.norm(model.components_, axis=1)
    assert (sizes[1e5][2:] < 1e-3).all() and (sizes[1e5][:2] > 1).all() and (sizes[10.0] > 1e-3).all()
