"""Iterative fits of PCA: the same bits from memory, disk and Dask, and after an interruption."""

import numpy as np
import pytest

import unmix
from unmix.decomposition import PCA, TruncatedSVD


def table():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2500, 3)) @ rng.standard_normal((3, 7)) + rng.standard_normal((2500, 7))
    X[rng.random(X.shape) < 0.3] = np.nan
    return X


FITS = {
    "gaps": (lambda: PCA(3, tol=1e-5, random_state=0, missing="ignore"), table()),
    "products": (
        lambda: PCA(2, svd_solver="randomized", random_state=0),
        np.nan_to_num(table() + 1) @ np.ones((7, 40)),
    ),
    "uncentred": (
        lambda: TruncatedSVD(2, algorithm="randomized", random_state=0),
        np.random.default_rng(0).standard_normal((3000, 60)),
    ),
}


def bits(model):
    return [model.components_.tobytes(), model.singular_values_.tobytes(), model.explained_variance_.tobytes()]


@pytest.mark.parametrize("name", FITS)
def test_same_bits_everywhere(name, tmp_path):
    da = pytest.importorskip("dask.array")
    make, X = FITS[name]
    with unmix.execution(threads=1):
        expected = bits(make().fit(X))
    np.save(tmp_path / "x.npy", X)
    with unmix.execution(threads=3):
        for source in (X, tmp_path / "x.npy", np.asfortranarray(X), da.from_array(X, chunks=(700, 5))):
            assert bits(make().fit(source)) == expected


class InterruptedFit(Exception):
    pass


@pytest.mark.parametrize("name", ["gaps", "uncentred"])
@pytest.mark.parametrize("after", [1, 3])
def test_resumed_fit_gives_the_same_bits(name, after, tmp_path):
    make, X = FITS[name]
    whole = make().fit(X)

    def interrupt(record):
        nonlocal seen
        seen += 1
        if seen > after:
            raise InterruptedFit

    seen = 0
    path = tmp_path / "fit.checkpoint"
    with pytest.raises(InterruptedFit), unmix.execution(checkpoint=path, checkpoint_seconds=0, observe=interrupt):
        make().fit(X)
    assert path.exists()
    with unmix.execution(checkpoint=path, checkpoint_seconds=0):
        resumed = make().fit(X)
    assert bits(resumed) == bits(whole)
    assert resumed.trace_ == whole.trace_
    assert not path.exists()


def test_observer_may_stop_em():
    make, X = FITS["gaps"]
    records = []

    def watch(record):
        records.append(record)
        return record.stage == "expectation" and record.iteration == 2

    with pytest.warns(UserWarning, match="did not converge"), unmix.execution(observe=watch):
        make().fit(X)
    assert records[-1].iteration == 2
    assert "log_likelihood" in records[-1].values
