"""Scripts of decompositions end the same with the import changed."""

import numpy as np
import pytest

from tests.scikit_learn.examples.both import run_both


def test_pca_iris():
    theirs, ours = run_both("pca_iris")
    assert type(ours.pca).__module__.startswith("unmix.")
    np.testing.assert_allclose(ours.X_reduced, theirs.X_reduced, atol=1e-10)
    np.testing.assert_allclose(ours.X_r, theirs.X_r, atol=1e-10)
    np.testing.assert_allclose(ours.ratio, theirs.ratio, rtol=1e-12)


def loss(script, model, beta_loss):
    """The objective that both libraries minimise, of a model and the codes that it gives."""
    X, W, H = script.tfidf.toarray(), model.transform(script.tfidf), model.components_
    Y = np.maximum(W @ H, 1e-12)
    logs = X * np.log(np.where(X > 0, X / Y, 1.0)) - X + Y
    divergence = 0.5 * np.sum((X - W @ H) ** 2) if beta_loss == "frobenius" else logs.sum()
    sizes = [(X.shape[1], W), (X.shape[0], H)]
    share = model.l1_ratio
    return divergence + 5e-5 * sum(n * (share * A.sum() + (1 - share) / 2 * np.sum(A**2)) for n, A in sizes)


@pytest.mark.slow_without_jit
def test_topics_nmf():
    theirs, ours = run_both("topics_nmf")
    assert type(ours.nmf).__module__.startswith("unmix.")
    planted = sorted(map(sorted, (words.split() for words in ours.subjects)))
    for topics in (ours.frobenius_topics, ours.divergence_topics, theirs.frobenius_topics):
        assert sorted(map(sorted, topics)) == planted
    assert loss(ours, ours.nmf, "frobenius") <= 1.001 * loss(theirs, theirs.nmf, "frobenius")
    assert loss(ours, ours.nmf_divergence, "kl") <= 1.01 * loss(theirs, theirs.nmf_divergence, "kl")


def projection(rows):
    basis = np.linalg.qr(rows.T)[0]
    return basis @ basis.T


@pytest.mark.slow_without_jit
def test_faces_decomposition():
    theirs, ours = run_both("faces_decomposition")
    np.testing.assert_allclose(ours.pca_estimator.components_, theirs.pca_estimator.components_, atol=1e-3)
    codes = ours.pca_estimator.transform(ours.faces_centered)
    np.testing.assert_allclose(codes, theirs.pca_estimator.transform(ours.faces_centered), atol=1e-2)
    assert ours.nmf_estimator.reconstruction_err_ <= 1.001 * theirs.nmf_estimator.reconstruction_err_
    mine, peer = ours.ica_estimator, theirs.ica_estimator
    np.testing.assert_allclose(projection(mine.components_), projection(peer.components_), atol=1e-6)
    sums = [(ica.transform(ours.faces_centered) ** 2).sum(axis=0) for ica in (mine, peer)]
    np.testing.assert_allclose(sums[0], sums[1], rtol=1e-6)
    rows = [ica.inverse_transform(ica.transform(ours.faces_centered)) for ica in (mine, peer)]
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-6)
