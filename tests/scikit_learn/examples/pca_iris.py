"""Principal components of the iris flowers, three of them to draw and two beside the classes."""

from sklearn import datasets
from sklearn.decomposition import PCA

iris = datasets.load_iris()
X = iris.data
y = iris.target

X_reduced = PCA(n_components=3).fit_transform(iris.data)

pca = PCA(n_components=2)
X_r = pca.fit(X).transform(X)
ratio = pca.explained_variance_ratio_
