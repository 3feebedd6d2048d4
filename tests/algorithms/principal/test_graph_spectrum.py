"""Relaxed labels of balanced cuts against all eigenvectors of the Laplacian."""

import numpy as np
import pytest

from unmix.algorithms.principal import graph_spectrum as spectral
from unmix.algorithms.principal.graph_spectrum import relaxed_labels, spectral_labels
from unmix.costs.cut import Cut
from unmix.costs.links import make_links


def planted(n=60, k=3, seed=0):
    rng = np.random.default_rng(seed)
    groups = np.arange(n) % k
    W = rng.random((n, n)) * np.where(groups[:, None] == groups, 1.0, 0.2)
    W = W + W.T
    np.fill_diagonal(W, 0)
    return W, groups


@pytest.mark.parametrize("balance", ["ratio", "normalized"])
@pytest.mark.parametrize("dissimilarities", [False, True])
def test_relaxed_labels_span_the_least_eigenvectors(monkeypatch, balance, dissimilarities):
    W, _ = planted()
    monkeypatch.setattr(spectral, "PRECISION", 1e-10)
    degrees, sign = W.sum(axis=1), -1.0 if dissimilarities else 1.0
    root = 1 / np.sqrt(degrees) if balance == "normalized" else np.ones(len(W))
    wanted = np.linalg.eigh(sign * root[:, None] * (np.diag(degrees) - W) * root)[1][:, :3]
    for dense in (400, 0):  # all eigenvectors, and Lanczos' iteration
        monkeypatch.setattr(spectral, "DENSE", dense)
        found = relaxed_labels(Cut(balance, 3, dissimilarities=dissimilarities), make_links(W), 3) / root[:, None]
        np.testing.assert_allclose(wanted @ (wanted.T @ found), found, atol=1e-6)


@pytest.mark.parametrize("balance", ["ratio", "normalized"])
def test_planted_parts_are_read_off(balance):
    W, groups = planted()
    labels = spectral_labels(Cut(balance, 3), make_links(W), 3, 0)
    assert len(set(zip(labels, groups, strict=True))) == 3


def test_graphs_too_small_have_no_start():
    assert spectral_labels(Cut("ratio", 3), make_links(np.ones((4, 4))), 3, 0) is None


def apart(sizes, isolated=0, seed=0):
    """Planted parts without a link between them, and objects without any link."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    W = np.zeros((n + isolated, n + isolated))
    W[:n, :n] = (rng.random((n, n)) < 0.3) * (groups[:, None] == groups)
    for member in (np.flatnonzero(groups == g) for g in range(len(sizes))):
        W[member[:-1], member[1:]] = 1.0  # connected for sure
    W = np.maximum(W, W.T)
    np.fill_diagonal(W, 0)
    return W


@pytest.mark.parametrize("dense", [400, 0])
@pytest.mark.parametrize("balance", ["ratio", "normalized"])
@pytest.mark.parametrize("isolated", [0, 3])
def test_separate_parts_are_never_cut(monkeypatch, balance, isolated, dense):
    monkeypatch.setattr(spectral, "DENSE", dense)
    W = apart([30, 20, 25], isolated)
    for k in (2, 3):
        labels = spectral_labels(Cut(balance, k), make_links(W), k, 0)
        assert Cut(balance, k).total(make_links(W), labels) == 0 and len(np.unique(labels)) == k


@pytest.mark.parametrize("balance", ["ratio", "normalized"])
def test_beyond_separate_parts_one_of_them_is_cut(monkeypatch, balance):
    W = apart([30, 40])
    W[30:50, 50:] = W[50:, 30:50] = 0.0
    W[30, 69] = W[69, 30] = 1.0  # the second part is two, held together by one link
    monkeypatch.setattr(spectral, "DENSE", 0)
    labels = spectral_labels(Cut(balance, 3), make_links(W), 3, 0)
    parts = np.repeat([0, 1, 2], [30, 20, 20])
    assert len(set(zip(labels, parts, strict=True))) == 3


@pytest.mark.parametrize("balance", ["ratio", "normalized"])
@pytest.mark.parametrize("dense", [400, 0])
def test_vectors_beyond_those_of_separate_parts_are_the_next_ones(monkeypatch, balance, dense):
    monkeypatch.setattr(spectral, "DENSE", dense)
    monkeypatch.setattr(spectral, "PRECISION", 1e-10)
    W = apart([30, 40])
    degrees = W.sum(axis=1)
    root = 1 / np.sqrt(degrees) if balance == "normalized" else np.ones(len(W))
    values, vectors = np.linalg.eigh(root[:, None] * (np.diag(degrees) - W) * root)
    assert values[1] < 1e-9 < values[2]
    found = relaxed_labels(Cut(balance, 3), make_links(W), 3) / root[:, None]
    wanted = vectors[:, :3]
    np.testing.assert_allclose(np.abs(np.linalg.det(wanted.T @ found)), 1.0, atol=1e-5)
