"""Constant shift embedding: dissimilarities of any kind as points, without changing which clusters are best."""

from typing import Any

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.principal.constant_shift import centre, embed
from unmix.core.arguments import is_whole
from unmix.embedding.trust import distortion
from unmix.shell.dissimilarity import distances_between, row_distances
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks


class ConstantShiftEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Constant shift embedding: points whose squared distances are given dissimilarities plus a constant.

    D (n, n) need be no metric. It is made symmetric, ``½ (D + Dᵀ)``, and centred, ``S = -½ Q D Q``. Where S has
    negative eigenvalues, the smallest is subtracted from all, which adds ``2 shift_`` to every dissimilarity between
    different objects; then ``S + shift I = V Λ Vᵀ`` and the points are ``V Λ^½``. The pairwise cost
    ``½ Σ_c (1/n_c) Σ_{i,j in c} D_ij`` of any clustering differs from its K-means cost on all coordinates by a
    constant, so both have the same best clusters. Leaving out coordinates of small eigenvalues takes out noise.

    For squared Euclidean distances nothing is shifted, and the coordinates are the scores of PCA. All eigenvalues cost
    O(n³); few components of many objects are found by Lanczos' iteration, O(n²) each, without a copy of D.

    Parameters
    ----------
    n_components : int or None, default=2
        The number of coordinates kept; None keeps all n - 1.
    metric : str or callable, default="sqeuclidean"
        "precomputed": X holds dissimilarities (n, n). Else any metric of scikit-learn's `pairwise_distances`, for rows
        X.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, n_components)
        The points; each column's largest entry is positive.
    eigenvalues_ : ndarray of shape (n_components,)
        Falling, shifted: the sum of squares of each column.
    shift_ : float
        Half of what was added to the dissimilarities; 0 if they are squared Euclidean distances.
    dissimilarity_means_ : ndarray of shape (n,)
        The mean dissimilarity to each object, for placing new ones.
    objects_ : ndarray of shape (n, d)
        The rows, unless dissimilarities were given.
    n_features_in_ : int

    References
    ----------
    Roth, Laub, Kawanabe & Buhmann, Optimal cluster preserving embedding of nonmetric proximity data, IEEE Trans.
    Pattern Analysis and Machine Intelligence 25 (2003).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.embedding import ConstantShiftEmbedding
    >>> D = np.array([[0.0, 1.0, 9.0], [1.0, 0.0, 4.0], [9.0, 4.0, 0.0]])  # squared distances of -1, 0, 2 on a line
    >>> ConstantShiftEmbedding(1, metric="precomputed").fit_transform(D).round(2)
    array([[-1.33],
           [-0.33],
           [ 1.67]])
    """

    def __init__(self, n_components=2, *, metric="sqeuclidean"):
        self.n_components = n_components
        self.metric = metric

    @with_callbacks
    def fit(self, X, y=None):
        """Embed the objects.

        Parameters
        ----------
        X : array-like of shape (n, d), or (n, n) with ``metric="precomputed"``
            Rows; or dissimilarities with a diagonal of zeros, squared distances where there are distances.
        y : ignored

        Returns
        -------
        self
        """
        blocks = self._blocks(X, reset=True, sparse=False, min_rows=2)
        D = self._dissimilarities(np.asarray(blocks.gather()))
        self._check(D)
        k = max(1, len(D) - 1) if self.n_components is None else int(self.n_components)
        with self._fitting(blocks, 0):
            found = embed(D, k)
        self.embedding_, self.eigenvalues_ = found.points.astype(D.dtype), found.eigenvalues.astype(D.dtype)
        self.shift_, self.dissimilarity_means_ = float(found.shift), found.means.astype(D.dtype)
        return self

    def fit_transform(self, X, y=None):
        """The points of the objects themselves."""
        return self.fit(X).embedding_

    def transform(self, X):
        """Place new objects: rows, or dissimilarities (new, n) to the objects of the fit.

        A row is taken for an object of its own, even if it equals a row of D: after the shift it lies
        ``sqrt(2 shift_)`` away from where it would be, in directions that are not kept.
        """
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False, sparse=False)
        values = np.where(self.eigenvalues_ > 0, self.eigenvalues_, np.inf)
        rows = None if self.metric == "precomputed" else getattr(self, "objects_", None)
        if rows is None and self.metric != "precomputed":
            raise ValueError(f"metric={self.metric!r}: the fit was to dissimilarities and knows no rows; fit again")
        means = self.dissimilarity_means_.astype(np.float64)
        return blocks.map(place, means, self.embedding_ / values, rows, self.metric)

    def distortion(self, X, *, n_neighbors=10, rows=None):
        """The share of each object's nearest among the points that are not its nearest by the dissimilarities X.

        X are the rows or dissimilarities of the fit, ``rows`` the numbers of the objects to look at, by default all.
        See `unmix.embedding.distortion`.
        """
        check_is_fitted(self)
        X = np.asarray(self._blocks(X, reset=False, sparse=False).gather())
        D = X if self.metric == "precomputed" else row_distances(X, metric=self.metric)
        return distortion(D, self.embedding_, n_neighbors=n_neighbors, metric="precomputed", rows=rows)

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]

    def _dissimilarities(self, X: np.ndarray) -> np.ndarray:
        if self.metric == "precomputed":
            return X
        self.objects_ = X
        return distances_between(X, self.metric)

    def _check(self, D: np.ndarray) -> None:
        n = len(D)
        if D.shape[1] != n:
            raise ValueError(
                f"X has shape {D.shape}; give a square table of dissimilarities, one row and one column an object"
            )
        own = float(np.abs(np.diagonal(D)).max())
        if own > 0 and own > 1e-6 * float(np.median(np.abs(D[D != 0]))):  # one far object must not excuse the others
            raise ValueError(
                "the diagonal of X is not zero, so X holds no dissimilarities; from similarities s, give "
                "s_ii + s_jj - 2 s_ij"
            )
        k = self.n_components
        if k is not None and (not is_whole(k, 1) or k >= n):
            raise ValueError(f"n_components={k!r}: give a whole number from 1 to n - 1 = {n - 1}, or None for all")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def place(
    block: Any, rows: None, means: np.ndarray, directions: np.ndarray, objects: np.ndarray | None, metric: Any
) -> np.ndarray:
    """Rows of S times V Λ^(-½)."""
    D = block if objects is None else row_distances(block, objects, metric=metric)
    return (centre(D.astype(np.float64), means) @ directions).astype(block.dtype)
