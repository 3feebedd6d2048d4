"""New digits from a kernel density: 15 principal components, a width by grid search, and a sample turned back."""

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import NearestNeighbors


def run(PCA, KernelDensity):
    digits = load_digits()
    pca = PCA(n_components=15, whiten=False)
    data = pca.fit_transform(digits.data)
    params = {"bandwidth": np.logspace(-1, 1, 20)}
    grid = GridSearchCV(KernelDensity(), params)
    grid.fit(data)
    kde = grid.best_estimator_
    new_data = kde.sample(44, random_state=0)
    new_data = pca.inverse_transform(new_data)
    return grid, kde.score(data), new_data.reshape((4, 11, -1))


@pytest.mark.long
@pytest.mark.slow_without_jit
def test_both_draw_digits():
    import sklearn.decomposition
    import sklearn.neighbors

    import unmix.decomposition
    import unmix.density

    theirs = run(sklearn.decomposition.PCA, sklearn.neighbors.KernelDensity)
    ours = run(unmix.decomposition.PCA, unmix.density.KernelDensity)
    assert ours[0].best_params_ == theirs[0].best_params_
    assert ours[0].best_score_ == pytest.approx(theirs[0].best_score_, rel=1e-6)
    assert ours[1] == pytest.approx(theirs[1], rel=1e-6)
    rows = NearestNeighbors(n_neighbors=1).fit(load_digits().data)
    near = [rows.kneighbors(drawn[2].reshape(44, 64))[0].mean() for drawn in (ours, theirs)]
    assert near[0] == pytest.approx(near[1], rel=0.1)  # as like to real digits as theirs
