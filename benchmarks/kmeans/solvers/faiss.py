"""faiss.Kmeans with k-means++ and its 25 iterations, on all rows."""

import numpy as np

requires = ["faiss"]


def solve(X: np.ndarray, k: int, seed: int, threads: int, n_init: int = 1) -> np.ndarray:
    import faiss

    faiss.omp_set_num_threads(threads)
    model = faiss.Kmeans(X.shape[1], k, seed=seed, nredo=n_init, max_points_per_centroid=len(X))
    if hasattr(faiss, "ClusteringInitMethod_KMEANS_PLUS_PLUS"):
        model.cp.init_method = faiss.ClusteringInitMethod_KMEANS_PLUS_PLUS
    model.train(np.ascontiguousarray(X, dtype=np.float32))
    return model.centroids
