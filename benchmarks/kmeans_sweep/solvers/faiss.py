"""A loop over faiss.Kmeans with k-means++, ten restarts for each K."""

import numpy as np

requires = ["faiss"]


def solve(X: np.ndarray, ks: range, seed: int, threads: int) -> list[np.ndarray]:
    import faiss

    faiss.omp_set_num_threads(threads)
    centres = []
    for k in ks:
        model = faiss.Kmeans(X.shape[1], k, seed=seed, nredo=10, max_points_per_centroid=len(X))
        if hasattr(faiss, "ClusteringInitMethod_KMEANS_PLUS_PLUS"):
            model.cp.init_method = faiss.ClusteringInitMethod_KMEANS_PLUS_PLUS
        model.train(np.ascontiguousarray(X, dtype=np.float32))
        centres.append(model.centroids)
    return centres
