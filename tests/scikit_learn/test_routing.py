"""Weights that a pipeline routes: steps that ignore them in scikit-learn ignore them here, unless they are asked to."""

from importlib import import_module

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.utils import all_estimators

from tests.scikit_learn.rewritten import SHARED
from unmix.decomposition import PCA

THEIRS = dict(all_estimators())
METHODS = ("fit", "partial_fit", "predict", "score", "transform", "inverse_transform")


def requests(kind, method):
    instance = kind(np.eye(2)) if kind.__name__ == "SparseCoder" else kind()
    return getattr(instance.get_metadata_routing(), method).requests


@pytest.fixture(autouse=True)
def routed():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SHARED)
def test_weights_are_asked_for_where_scikit_learn_asks(name, method):
    ours, theirs = (requests(kind, method) for kind in (getattr(import_module(SHARED[name]), name), THEIRS[name]))
    assert "sample_weight" not in theirs or ours["sample_weight"] == theirs["sample_weight"]
    assert "sample_weight" in theirs or ours.get("sample_weight", False) is not None


def test_a_step_takes_routed_weights_only_when_asked():
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(50, 4)) * [1, 2, 3, 4], rng.normal(size=50), rng.random(50)
    means = []
    for step in (PCA(2), PCA(2).set_fit_request(sample_weight=True)):
        pipeline = make_pipeline(step, Ridge().set_fit_request(sample_weight=True))
        means.append(pipeline.fit(X, y, sample_weight=weights)[0].mean_)
    np.testing.assert_allclose(means, [X.mean(axis=0), np.average(X, axis=0, weights=weights)])
