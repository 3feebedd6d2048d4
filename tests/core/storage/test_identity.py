"""Different things have different texts, equal ones the same, and what nobody can tell is refused."""

import functools
import operator

import numba
import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import KMeans

import unmix
from unmix.cluster import KMeans as OwnKMeans
from unmix.core.storage.identity import UnknownIdentity, describe
from unmix.validation import BIC, Stability

FACTOR = 2.0


def shifted(by):
    return lambda table: table + by


def nested(constant):
    """The constant is that of a function inside."""
    if constant == 1:
        return lambda table: (lambda row: row + 1)(table)
    return lambda table: (lambda row: row + 2)(table)


def scaled(table):
    return table * FACTOR


def calls_scaled(table):
    return scaled(table) + 1


def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def with_default(table, by=1):
    return table + by


class Holder:
    def __init__(self, by):
        self.by = by


class Named(KMeans):
    def move(self, table):
        return table + self.n_clusters


def compiled(by):
    return numba.njit(lambda x: x + by)


def test_different_things_have_different_descriptions():
    things = [
        None, 1, 1.0, "1", True, np.float32(1), [1], (1,), {"a": 1}, {1, 2}, np.zeros(2), np.zeros((2, 1)),
        np.zeros(2, np.float32), np.array(["a", None], dtype=object), KMeans(2), KMeans(3), KMeans, BIC(), Stability(),
        Stability("noise"), shifted(1), shifted(2), nested(1), nested(2), lambda x: x, lambda x: -x, with_default,
        functools.partial(with_default, by=2), functools.partial(with_default, by=3), Named(2).move, Named(3).move,
        np.random.RandomState(0), np.random.RandomState(1), np.random.default_rng(0), np.random.default_rng(0).normal,
        np.random.default_rng(1).normal, np.mean, np.sum, np.add, operator.add, factorial, len, csr_array(np.eye(2)),
        csr_array(np.eye(3)), functools.cache(with_default),
    ]  # fmt: skip
    assert len({describe(thing) for thing in things}) == len(things)


@pytest.mark.parametrize("make", [lambda: shifted(1), lambda: nested(1), lambda: KMeans(2), lambda: Named(2).move])
def test_equal_things_have_equal_descriptions(make):
    assert describe(make()) == describe(make())


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_compiled_functions_are_told_apart():
    assert describe(compiled(1)) == describe(compiled(1)) != describe(compiled(2))


def test_global_names_that_a_function_uses_belong_to_it(monkeypatch):
    before = describe(scaled), describe(calls_scaled), describe(lambda table: scaled(table))
    monkeypatch.setattr(f"{__name__}.FACTOR", 3.0)
    after = describe(scaled), describe(calls_scaled), describe(lambda table: scaled(table))
    assert all(a != b for a, b in zip(before, after))


def test_a_changed_default_is_another_function(monkeypatch):
    before = describe(with_default)
    monkeypatch.setattr(with_default, "__defaults__", (2,))
    assert describe(with_default) != before


def test_what_cannot_be_told_is_refused():
    holder = Holder(1)
    for thing in (holder, functools.partial(with_default, holder), lambda table: table + holder.by):
        with pytest.raises(UnknownIdentity, match="Holder"):
            describe(thing)


def centers_at(place):
    def init(X, k, random_state):
        return np.linspace(0, place, k)[:, None] * np.ones(X.shape[1])

    return init


def test_a_fit_is_not_resumed_under_another_function(tmp_path):
    X = np.random.default_rng(0).normal(size=(200, 2))

    def stop(record):
        if record.iteration == 2:
            raise KeyboardInterrupt

    path = tmp_path / "fit.zip"

    def fit(init, observe=None):
        with unmix.execution(checkpoint=path, checkpoint_seconds=0, observe=observe):
            return OwnKMeans(3, init=init, random_state=0).fit(X)

    with pytest.raises(KeyboardInterrupt):
        fit(centers_at(1.0), stop)
    assert path.exists()
    with pytest.raises(ValueError, match="different parameters"):
        fit(centers_at(2.0))
    resumed = fit(centers_at(1.0))
    plain = OwnKMeans(3, init=centers_at(1.0), random_state=0).fit(X)
    np.testing.assert_array_equal(resumed.cluster_centers_, plain.cluster_centers_)


def test_a_checkpoint_that_could_not_tell_is_refused_at_once(tmp_path):
    holder = Holder(1.0)
    with unmix.execution(checkpoint=tmp_path / "fit.zip"), pytest.raises(TypeError, match=r"^checkpoint: .*Holder"):
        OwnKMeans(2, init=lambda X, k, random_state: X[: int(k * holder.by)]).fit(np.eye(4))
