"""Pictures taken apart in several ways; handwritten digits stand in for faces, which would have to be fetched."""

from numpy.random import RandomState
from sklearn import decomposition
from sklearn.datasets import load_digits

rng = RandomState(0)

faces = load_digits().data[:400]
rng.shuffle(faces)
n_samples, n_features = faces.shape

# each pixel, then each picture, about zero
faces_centered = faces - faces.mean(axis=0)
faces_centered -= faces_centered.mean(axis=1).reshape(n_samples, -1)

n_components = 6

pca_estimator = decomposition.PCA(n_components=n_components, svd_solver="randomized", whiten=True)
pca_estimator.fit(faces_centered)

nmf_estimator = decomposition.NMF(n_components=n_components, tol=5e-3)
nmf_estimator.fit(faces)  # amounts, as they are

ica_estimator = decomposition.FastICA(n_components=n_components, max_iter=400, whiten="arbitrary-variance", tol=15e-5)
ica_estimator.fit(faces_centered)
