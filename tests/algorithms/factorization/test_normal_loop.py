"""The loop of codes with a normal law: longer steps reach what plain ones reach, and never lose."""

import numpy as np
import pytest

from unmix.algorithms.factorization import normal_loop
from unmix.decomposition import Factorization


def table(seed, n=120, D=6, share=0.2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) @ rng.normal(size=(2, D)) + 0.6 * rng.normal(size=(n, D))
    X[rng.random((n, D)) < share] = np.nan
    return X


@pytest.mark.parametrize("seed", range(4))
def test_the_objective_never_rises(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([table(seed), rng.integers(0, 3, 120), rng.integers(0, 2, 120), rng.integers(0, 4, 120)])
    kinds = ["number"] * 6 + ["category", "boolean", "ordered"]
    weights, entries = rng.integers(0, 3, 120).astype(float), rng.integers(0, 3, X.shape).astype(float)
    entries[0] = 1.0
    model = Factorization(5, kinds=kinds, max_iter=2000).fit(X, sample_weight=weights, entry_weight=entries)
    trace = np.array([record["objective"] for record in model.trace_])
    assert len(trace) == model.n_iter_ > 5 and (np.diff(trace) <= 0).all() and trace[-1] == model.objective_


@pytest.mark.parametrize("seed", range(3))
def test_longer_steps_reach_no_less_than_plain_ones(seed, monkeypatch):
    X = table(seed)
    fast = Factorization(2, tol=1e-7, max_iter=2000).fit(X)
    monkeypatch.setattr(normal_loop, "extrapolated", lambda x0, x1, new, reach: (new, 1.0))
    slow = Factorization(2, tol=1e-7, max_iter=2000).fit(X)
    assert fast.n_iter_ < slow.n_iter_
    assert fast.objective_ <= slow.objective_ + 0.02 and fast.objective_ == pytest.approx(slow.objective_, abs=0.5)


def test_a_step_that_loses_is_not_taken(monkeypatch):
    X = table(5)
    true = normal_loop.extrapolated

    def wild(x0, x1, new, reach):
        model, length = true(x0, x1, new, reach)
        return model._replace(noise=new.noise * 100), length

    plain = Factorization(2, max_iter=5000).fit(X)
    monkeypatch.setattr(normal_loop, "extrapolated", wild)
    model = Factorization(2, max_iter=5000).fit(X)
    trace = [record["objective"] for record in model.trace_]
    assert (np.diff(trace) <= 0).all() and model.objective_ == pytest.approx(plain.objective_, rel=1e-3)


def test_packing_loses_nothing():
    rng = np.random.default_rng(0)
    noise, components = rng.uniform(0.1, 2, 5), rng.normal(size=(4, 5))
    model = normal_loop.balanced(components, noise, 10.0)
    back = normal_loop.unpacked(normal_loop.packed(model), model)
    np.testing.assert_allclose(back.components, components)
    np.testing.assert_allclose(back.noise, noise)


def test_after_few_iterations_the_step_that_never_loses_is_the_answer():
    X = table(6)
    values = []
    for iterations in range(1, 9):
        with pytest.warns(Warning, match="did not converge"):
            model = Factorization(2, max_iter=iterations).fit(X)
        again = Factorization(2, max_iter=500).fit(X)
        values.append(model.objective_)
        assert model.objective_ >= again.objective_
    assert (np.diff(values) <= 0).all()
