"""What a whole fit holds in memory, and the start it begins from."""

import weakref

import numpy as np
import pytest

import unmix
from unmix.algorithms.nonnegative.fits import factorize
from unmix.algorithms.nonnegative.start import larger_parts
from unmix.decomposition import NMF


@pytest.mark.parametrize("gaps", [False, True])
def test_the_codes_of_the_start_are_free_after_the_first_iteration(monkeypatch, gaps):
    X = np.random.default_rng(0).random((40, 6))
    X[0, 0] = np.nan if gaps else X[0, 0]
    make_start, made, held = factorize.make_start, [], []

    def watched(*args):
        start = make_start(*args)
        made.append(weakref.ref(start.codes))
        return start

    monkeypatch.setattr(factorize, "make_start", watched)
    with unmix.execution(observe=lambda record: held.append(made[0]() is not None)):
        NMF(3, tol=0, max_iter=5, random_state=0, missing="ignore").fit(X)
    assert len(held) >= 5 and not any(held)


@pytest.mark.parametrize("weighted", [False, True])
def test_parts_of_a_pair_are_the_larger_ones_and_balanced(weighted):
    rng = np.random.default_rng(1)
    for _ in range(20):
        image, vector = rng.standard_normal(30), rng.standard_normal(8)
        weights = rng.integers(0, 3, 30).astype(float) if weighted else None
        repeated = image if weights is None else np.repeat(image, weights.astype(int))
        pairs = [(np.maximum(s * repeated, 0), np.maximum(s * vector, 0)) for s in (1, -1)]
        products = [np.linalg.norm(a) * np.linalg.norm(b) for a, b in pairs]
        code, component = larger_parts(image, vector, weights, first=False)
        size = np.linalg.norm(code if weights is None else np.sqrt(weights) * code)
        assert size == pytest.approx(np.linalg.norm(component))
        assert size**2 == pytest.approx(max(products))
        sign = 1 if products[0] > products[1] else -1
        assert ((code > 0) == (sign * image > 0)).all() and ((component > 0) == (sign * vector > 0)).all()
