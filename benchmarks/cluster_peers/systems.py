"""Each system on two processes of one thread: a context that gives one function a method, from files to a model.

K-means makes five iterations everywhere, from the same centres but in Spark, so all do the same work. A system that
keeps the rows in memory between iterations may do so; the time it takes to read them counts for all.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

ITERATIONS, COMPONENTS = 5, 4
Fits = dict[str, Callable[[], np.ndarray | None]]  # centres in order, or the variance of each component


@contextmanager
def two_processes() -> Iterator[Any]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as made,
        Client(made) as client,
    ):
        yield client


@contextmanager
def unmix(folder: Path, start: np.ndarray) -> Iterator[Fits]:
    import unmix
    from unmix.cluster import KMeans
    from unmix.decomposition import PCA

    def kmeans() -> np.ndarray:
        model = KMeans(len(start), init=start, n_init=1, swaps=0, max_iter=ITERATIONS, tol=0)
        with unmix.execution(executor=client), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # so few iterations are not meant to converge
            return model.fit(folder).cluster_centers_

    def pca() -> np.ndarray:
        with unmix.execution(executor=client):
            return PCA(COMPONENTS).fit(folder).explained_variance_

    with two_processes() as client:
        yield {"kmeans": kmeans, "pca": pca}


@contextmanager
def dask_ml(folder: Path, start: np.ndarray) -> Iterator[Fits]:
    import dask.dataframe as dd
    from dask_ml.cluster import KMeans
    from dask_ml.decomposition import PCA

    def rows() -> Any:
        return dd.read_parquet(folder).to_dask_array(lengths=True).persist()

    def kmeans() -> np.ndarray:
        return KMeans(len(start), init=start, max_iter=ITERATIONS, tol=0).fit(rows()).cluster_centers_

    def pca() -> np.ndarray:
        return PCA(COMPONENTS, svd_solver="tsqr").fit(rows()).explained_variance_

    with two_processes():
        yield {"kmeans": kmeans, "pca": pca}


@contextmanager
def spark(folder: Path, start: np.ndarray) -> Iterator[Fits]:
    from pyspark.ml.clustering import KMeans
    from pyspark.ml.feature import PCA, VectorAssembler
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local-cluster[2,1,6144]")
        .config("spark.executor.memory", "6g")
        .config("spark.driver.memory", "2g")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")

    def rows() -> Any:
        table = session.read.parquet(str(folder))
        return VectorAssembler(inputCols=table.columns, outputCol="x").transform(table).select("x")

    def kmeans() -> None:
        """From random rows: its frames take no centres, and its older package, which does, is slower."""
        kept = rows().cache()
        KMeans(featuresCol="x", k=len(start), initMode="random", maxIter=ITERATIONS, tol=0.0, seed=0).fit(kept)
        kept.unpersist()

    def pca() -> np.ndarray:
        return PCA(k=COMPONENTS, inputCol="x", outputCol="z").fit(rows()).explainedVariance.toArray()

    yield {"kmeans": kmeans, "pca": pca}
    session.stop()


SYSTEMS = {"unmix": unmix, "dask-ml": dask_ml, "Spark MLlib": spark}
