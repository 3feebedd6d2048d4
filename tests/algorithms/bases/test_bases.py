"""Bases are orthonormal and what they claim: FFT, DCT, published filters; coherence and compression by hand."""

import numpy as np
import pytest
from scipy.fft import dct, dctn

from unmix.algorithms.bases.wavelet import daubechies_filter
from unmix.decomposition import (
    PCA,
    coherence,
    compress,
    daubechies_wavelets,
    dct_basis,
    fourier_basis,
    haar_wavelets,
    overcomplete_dct,
    recovery_bound,
    union_of_bases,
)

rng = np.random.default_rng(0)
MAKERS = {
    "dct": dct_basis,
    "fourier": fourier_basis,
    "haar": haar_wavelets,
    "db2": lambda shape: daubechies_wavelets(shape, 2),
    "db4": daubechies_wavelets,
    "db10": lambda shape: daubechies_wavelets(shape, 10),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("shape", [1, 2, 16, 64, (4, 8), (2, 4, 2)])
def test_orthonormal_so_energy_is_kept(make, shape):
    U = make(shape)
    d = int(np.prod(shape))
    np.testing.assert_allclose(U @ U.T, np.eye(d), atol=1e-10)
    x = rng.normal(size=d)
    np.testing.assert_allclose(np.sum((U @ x) ** 2), x @ x)
    assert coherence(U) < 1e-10


def test_cosines_are_the_transform():
    x = rng.normal(size=9)
    np.testing.assert_allclose(dct_basis(9) @ x, dct(x, norm="ortho"), atol=1e-12)
    image = rng.normal(size=(4, 6))
    np.testing.assert_allclose(dct_basis((4, 6)) @ image.ravel(), dctn(image, norm="ortho").ravel(), atol=1e-12)


@pytest.mark.parametrize("d", [7, 8])
def test_fourier_is_the_transform(d):
    x = rng.normal(size=d)
    z, f = fourier_basis(d) @ x, np.fft.rfft(x) / np.sqrt(d)
    np.testing.assert_allclose(z[0], f[0].real)
    half = (d - 1) // 2
    np.testing.assert_allclose(z[1 : 2 * half : 2], np.sqrt(2) * f[1 : half + 1].real, atol=1e-12)
    np.testing.assert_allclose(z[2 : 2 * half + 1 : 2], -np.sqrt(2) * f[1 : half + 1].imag, atol=1e-12)
    if d % 2 == 0:
        np.testing.assert_allclose(z[-1], f[-1].real)


def test_filters_are_the_published_ones():
    root = np.sqrt(3)
    np.testing.assert_allclose(daubechies_filter(1), [np.sqrt(0.5)] * 2)
    np.testing.assert_allclose(
        daubechies_filter(2), np.array([1 + root, 3 + root, 3 - root, 1 - root]) / 4 / np.sqrt(2)
    )
    published = [0.230377813309, 0.714846570553, 0.630880767930, -0.027983769417]  # Daubechies 1988, table 1
    np.testing.assert_allclose(daubechies_filter(4)[:4], published, atol=1e-11)
    for p in range(1, 21):
        h = daubechies_filter(p)
        np.testing.assert_allclose([h @ h, h.sum()], [1, np.sqrt(2)], atol=1e-9)
        shifts = [h[: -2 * s] @ h[2 * s :] for s in range(1, p)]
        np.testing.assert_allclose(shifts, 0, atol=1e-7)


def test_wavelets_do_not_see_polynomials():
    fine = daubechies_wavelets(64, 3, levels=1)[32:]
    inside = np.array([np.ptp(np.flatnonzero(np.abs(row) > 1e-12)) < 10 for row in fine])  # not around the ends
    t = np.linspace(-1, 1, 64)
    for degree in range(3):
        np.testing.assert_allclose(fine[inside] @ t**degree, 0, atol=1e-9)
    assert np.abs(fine[inside] @ t**3).max() > 1e-6


def test_haar_by_hand():
    expected = np.array([[1, 1, 1, 1], [1, 1, -1, -1]]) / 2
    np.testing.assert_allclose(haar_wavelets(4)[:2], expected, atol=1e-12)


def test_coherence_and_bound():
    assert coherence(np.eye(5)) == 0 and recovery_bound(np.eye(5)) == np.inf
    for d in (2, 9, 64):
        for _ in range(5):
            more = union_of_bases(np.eye(d) * 3.0, rng.normal(size=(1, d)))
            assert coherence(more) >= 1 / np.sqrt(d)
        np.testing.assert_allclose(coherence(union_of_bases(np.eye(d), np.ones((1, d)))), 1 / np.sqrt(d))
    assert coherence(np.vstack([np.eye(2), [[0.0, -2.0]]])) == 1
    assert recovery_bound(np.vstack([np.eye(4), np.ones(4)])) == 1.5
    U = rng.normal(size=(1500, 6))
    unit = U / np.linalg.norm(U, axis=1)[:, None]
    np.testing.assert_allclose(coherence(U), np.abs(unit @ unit.T - np.eye(1500)).max())


def test_overcomplete_cosines():
    for n_atoms, shape in [(30, 16), (100, (8, 8)), (256, (8, 8)), (5, 16)]:
        U = overcomplete_dct(n_atoms, shape)
        assert U.shape == (n_atoms, np.prod(shape))
        np.testing.assert_allclose(np.linalg.norm(U, axis=1), 1)
        np.testing.assert_allclose(np.abs(U[0]), U[0, 0])
        np.testing.assert_allclose(U[1:].sum(axis=1), 0, atol=1e-9)


def test_error_of_compression_is_the_energy_dropped():
    X = rng.normal(size=(5, 16)).cumsum(axis=1)
    for choose in ("largest", "first"):
        short = compress(X, dct_basis(16), 4, choose)
        assert (short.codes != 0).sum() == 20
        np.testing.assert_allclose(((X - short.reconstruction) ** 2).sum(), short.error)
        np.testing.assert_allclose(short.curve[[0, -1]], [(X**2).sum(), 0], atol=1e-9)
        assert (np.diff(short.curve) <= 1e-9).all() and short.curve[4] == short.error
    assert compress(X[0], dct_basis(16), 0.5).codes.shape == (16,)
    assert compress(X, haar_wavelets(16), 16).error < 1e-9


def test_no_basis_beats_the_principal_components_on_their_own_data():
    X = rng.normal(size=(300, 16)) @ rng.normal(size=(16, 16))
    X -= X.mean(axis=0)
    own = compress(X, PCA(16).fit(X).components_, 4, "first")
    for basis in (dct_basis(16), haar_wavelets(16), fourier_basis(16)):
        assert (own.curve <= compress(X, basis, 4, "first").curve + 1e-6).all()


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (lambda: dct_basis(0), "shape"),
        (lambda: dct_basis((4, -1)), "shape"),
        (lambda: haar_wavelets(7), "even"),
        (lambda: daubechies_wavelets(8, 0), "moments"),
        (lambda: daubechies_wavelets(8, levels=-1), "levels"),
        (lambda: overcomplete_dct(0, 4), "n_atoms"),
        (lambda: union_of_bases(np.eye(2), np.eye(3)), "bases"),
        (lambda: compress(np.ones(3), np.eye(4), 1), "columns"),
        (lambda: compress(np.ones(4), np.ones((4, 4)), 1), "orthonormal"),
        (lambda: compress(np.ones(4), np.eye(4), 5), "keep"),
        (lambda: compress(np.ones(4), np.eye(4), 1, "best"), "choose"),
    ],
)
def test_wrong_arguments_are_named(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        wrong()
