"""Handwritten digits in ten clusters: three starts, of which the last is made of principal components."""

import numpy as np
import pytest
from sklearn import metrics
from sklearn.datasets import load_digits
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def run(KMeans, PCA):
    data, labels = load_digits(return_X_y=True)
    (_, _), n_digits = data.shape, np.unique(labels).size
    pca = PCA(n_components=n_digits).fit(data)
    starts = {
        "k-means++": KMeans(init="k-means++", n_clusters=n_digits, n_init=4, random_state=0),
        "random": KMeans(init="random", n_clusters=n_digits, n_init=4, random_state=0),
        "PCA-based": KMeans(init=pca.components_, n_clusters=n_digits, n_init=1),
    }
    found = {}
    for name, kmeans in starts.items():
        estimator = make_pipeline(StandardScaler(), kmeans).fit(data)
        model = estimator[-1]
        scores = [
            measure(labels, model.labels_)
            for measure in (metrics.homogeneity_score, metrics.v_measure_score, metrics.adjusted_rand_score)
        ]
        width = metrics.silhouette_score(data, model.labels_, metric="euclidean", sample_size=300, random_state=0)
        found[name] = model.inertia_, [*scores, width]
    reduced_data = PCA(n_components=2).fit_transform(data)
    kmeans = KMeans(init="k-means++", n_clusters=n_digits, n_init=4)
    kmeans.fit(reduced_data)
    plane = kmeans.predict(reduced_data[:100] + 0.01)
    return found, kmeans.cluster_centers_, plane


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_both_find_the_digits():
    import sklearn.cluster
    import sklearn.decomposition

    import unmix.cluster
    import unmix.decomposition

    theirs, _, _ = run(sklearn.cluster.KMeans, sklearn.decomposition.PCA)
    ours, centers, plane = run(unmix.cluster.KMeans, unmix.decomposition.PCA)
    for name, (inertia, scores) in ours.items():
        assert inertia < 1.02 * theirs[name][0]
        assert max(abs(a - b) for a, b in zip(scores, theirs[name][1], strict=True)) < 0.15
    assert ours["PCA-based"][0] == pytest.approx(theirs["PCA-based"][0], rel=1e-9)  # one start, one iteration
    assert centers.shape == (10, 2) and plane.shape == (100,) and set(plane) <= set(range(10))
