"""The same bits from memory, disk and Dask, on any number of threads or workers."""

import numpy as np
import polars
import pytest

import unmix

from .models import MODELS, data, different, fitted_bits, table

# Every source hands the same blocks to every model, so that most models need only one source of each reader.
FROM_EVERYWHERE = ("PCA", "TruncatedSVD", "NMF", "KMeans", "GaussianMixture")
FROM_EACH_READER = ("memmap", "parquet", "dask array")


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    return sources_of(table(), tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def amounts(tmp_path_factory):
    return sources_of(data("NMF"), tmp_path_factory.mktemp("amounts"))


def sources_of(X, folder):
    import dask.array as da
    import dask.dataframe as dd

    names = ["a", "b", "c", "d", "e"]
    np.save(folder / "x.npy", X)
    frame = polars.DataFrame(X, schema=names)
    frame.write_parquet(folder / "x.parquet", row_group_size=7777)
    frame.write_csv(folder / "x.csv")
    return {
        "memmap": np.load(folder / "x.npy", mmap_mode="r"),
        "npy": folder / "x.npy",
        "parquet": folder / "x.parquet",
        "csv": folder / "x.csv",
        "fortran": np.asfortranarray(X),
        "polars": frame,
        "pandas": frame.to_pandas(),
        "dask array": da.from_array(X, chunks=(11_000, 3)),
        "dask frame": dd.from_pandas(frame.to_pandas(), npartitions=4),
    }


@pytest.fixture(scope="module")
def expected():
    return Expected()


class Expected(dict):
    """The bits of each model from memory on one thread, fitted when first asked for."""

    def __missing__(self, name):
        with unmix.execution(threads=1):
            self[name] = fitted_bits(MODELS[name]().fit(data(name)))
        return self[name]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", [name for name in MODELS if not name.endswith("missing")])
def test_any_source(name, sources, amounts, expected):
    given = amounts if name.startswith("NMF") else sources
    for kind in given if name in FROM_EVERYWHERE else FROM_EACH_READER:
        assert different(MODELS[name]().fit(given[kind]), expected[name]) == [], kind


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("threads", [2, 3, 7])
def test_any_number_of_threads(name, threads, expected):
    with unmix.execution(threads=threads):
        assert different(MODELS[name]().fit(data(name)), expected[name]) == []


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", MODELS)
def test_single_precision_too(name, sources):
    import dask.array as da

    X = data(name, "f4")
    with unmix.execution(threads=1):
        expected = fitted_bits(MODELS[name]().fit(X))
    assert different(MODELS[name]().fit(da.from_array(X, chunks=(9000, 5))), expected) == []


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", ["KMeans", "GaussianMixture", "PCA"])
def test_weights_travel_with_their_rows(name, sources):
    weights = np.random.default_rng(1).integers(0, 4, 40_000)
    expected = fitted_bits(MODELS[name]().fit(table(), sample_weight=weights))
    for kind in ("parquet", "dask array"):
        assert different(MODELS[name]().fit(sources[kind], sample_weight=weights), expected) == [], kind
