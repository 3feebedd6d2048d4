"""Sparse tables on a dask cluster, and dask arrays of sparse chunks, give the bits of one thread."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import unmix
from tests.sparse_models import ESTIMATORS, SQUARE, answers, forms, table
from unmix.decomposition import RobustPCA
from unmix.io.dispatch import as_blocks

distributed = pytest.importorskip("distributed", reason="needs the [dask] extra")

pytestmark = [pytest.mark.slow_without_jit, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def client():
    with distributed.Client(
        processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None, silence_logs=50
    ) as started:
        yield started


def in_chunks(X, chunks=(25, 3)):
    import dask.array as da

    return da.from_array(X, chunks=chunks, asarray=False)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_every_estimator_on_the_executor(client, estimator):
    X = sp.csr_array(table(estimator))
    expected = answers(clone(estimator).fit(X), X)
    with unmix.execution(executor=client):
        assert answers(clone(estimator).fit(X), X) == expected
    if type(estimator).__name__ not in SQUARE:
        split = in_chunks(forms(X.toarray(), "f8", zeros=type(estimator).__name__ != "CollaborativeFilter")[0])
        assert answers(clone(estimator).fit(split), split) == expected


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csr_matrix, sp.csc_array])
def test_rows_of_several_tasks_are_joined(client, kind):
    X = sp.random_array((9000, 6), density=0.3, rng=np.random.default_rng(0), format="csr", dtype=np.float32)
    for given in (X, in_chunks(kind(X), (2500, 4))):
        with unmix.execution(executor=client):
            blocks = as_blocks(given)
        assert blocks.sparse and blocks.n_leaves > 1
        rows = blocks.gather()
        assert rows.has_canonical_format and rows.dtype == np.float32 and (rows != X).nnz == 0
        assert np.array_equal(blocks.take([8999, 3, 3]), X[[8999, 3, 3]].toarray())


def test_sparse_chunks_are_refused_where_rows_must_be_dense(client):
    with pytest.raises(TypeError, match="dense data is required"):
        RobustPCA().fit(in_chunks(sp.csr_array(np.eye(4))))
