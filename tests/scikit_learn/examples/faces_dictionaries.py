"""Pictures as sums of few atoms, free or without negative entries, and as clusters; digits stand in for faces."""

from numpy.random import RandomState
from sklearn import cluster, decomposition
from sklearn.datasets import load_digits

rng = RandomState(0)

faces = load_digits().data[:400] / 16
rng.shuffle(faces)
n_samples, n_features = faces.shape
faces_centered = faces - faces.mean(axis=0)
faces_centered -= faces_centered.mean(axis=1).reshape(n_samples, -1)

n_components = 6

batch_dict_estimator = decomposition.MiniBatchDictionaryLearning(
    n_components=n_components, alpha=0.1, max_iter=50, batch_size=3, random_state=rng
)
batch_dict_estimator.fit(faces_centered)

kmeans_estimator = cluster.MiniBatchKMeans(
    n_clusters=n_components, tol=1e-3, batch_size=20, max_iter=50, random_state=rng
)
kmeans_estimator.fit(faces_centered)

dict_pos_dict_estimator = decomposition.MiniBatchDictionaryLearning(
    n_components=n_components, alpha=0.1, max_iter=50, batch_size=3, random_state=rng, positive_dict=True
)
dict_pos_dict_estimator.fit(faces_centered)

dict_pos_code_estimator = decomposition.MiniBatchDictionaryLearning(
    n_components=n_components,
    alpha=0.1,
    max_iter=50,
    batch_size=3,
    fit_algorithm="cd",
    random_state=rng,
    positive_code=True,
)
dict_pos_code_estimator.fit(faces_centered)

dict_pos_estimator = decomposition.MiniBatchDictionaryLearning(
    n_components=n_components,
    alpha=0.1,
    max_iter=50,
    batch_size=3,
    fit_algorithm="cd",
    random_state=rng,
    positive_dict=True,
    positive_code=True,
)
dict_pos_estimator.fit(faces_centered)
