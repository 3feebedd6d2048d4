"""Locally linear embedding: a flat map of rows that lie on a curved sheet."""

import warnings
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.locally_linear.bottom import Solver
from unmix.algorithms.locally_linear.embedding import LocalMap, Method, embed, least_neighbors, place
from unmix.algorithms.neighbors.search import ALGORITHMS, choose_algorithm
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.embedding.trust import distortion
from unmix.shell.estimator import Estimator
from unmix.shell.progress import with_callbacks

METHODS = ("standard", "modified", "hessian", "ltsa")


class LocallyLinearEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Locally linear embedding: every row is the same weighted mean of its neighbours in the map as in the data.

    First the weights that sum to 1 and put every row together from its ``n_neighbors`` nearest, minimising
    ``Σ_i ‖x_i - Σ_j w_ij x_j‖²``; then places u in ``n_components`` dimensions that minimise
    ``Σ_i ‖u_i - Σ_j w_ij u_j‖²`` with ``Σ_i u_i = 0`` and ``UᵀU = I``. The weights do not change when the data are
    turned, moved or scaled, and neither does the map.

    Neighbours come from a k-d tree (up to 12 columns), from all distances, block by block, or from an approximate
    search; weights from systems of ``n_neighbors`` equations. Sparse tables stay sparse. The map is spanned by the
    eigenvectors of ``(I - W)ᵀ(I - W)`` of smallest eigenvalue, found by Lanczos' iteration on its inverse with one
    sparse LU of ``I - W``; a dense (n, n) matrix is made for up to 300 rows, or for more components than a quarter of
    up to 2,000 rows. Equal rows are one point of the map. All distances cost O(n² d), the tree O(n log n) in few
    dimensions, the weights O(n (d k² + k³)) for k neighbours; the factors of a sheet of one or two dimensions grow
    hardly faster than n.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map.
    n_neighbors : int, default=5
        Neighbours of each row. Too few, and the sheet falls apart; too many, and it folds onto itself.
    reg : float, default=1e-3
        What is added to the diagonal of each system of equations, as a share of its trace. Needed where rows have
        more neighbours than directions to differ in.
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        Lanczos' iteration, or all eigenvectors of a dense (n, n) matrix; "auto" is as said above.
    tol : float, default=1e-6
        Tolerance of the iteration; 1e-10 is not exceeded in any case.
    max_iter : int, default=100
        Restarts of the iteration, before it is given more room.
    method : {"standard", "modified", "hessian", "ltsa"}, default="standard"
        "modified" puts every row together by several sets of weights instead of one, as many as its neighbours leave
        open. The map then keeps its shape where one set lets it bend: a rolled-up rectangle comes back as a rectangle.
        It needs more neighbours than components, and takes several times as long. "ltsa" and "hessian" keep shapes,
        too, by coordinates in the tangent plane of every neighbourhood, of which the map is to be an affine function,
        or to have no second derivatives. They need more than m + 1 and m (m + 3) / 2 neighbours for m components.
    hessian_tol : float, default=1e-4
        Taken and not used: directions sum to 0 here.
    modified_tol : float, default=1e-12
        Directions of "modified" that are nearer to where they have to be are not turned.
    neighbors_algorithm : {"auto", "kd_tree", "ball_tree", "brute", "approximate"}, default="auto"
        How neighbours are found. "approximate" descends from neighbours to their neighbours, misses a few in a hundred
        and needs pynndescent (``pip install 'unmix[neighbors]'``). "auto" takes the tree for up to 12 columns and all
        distances for more; but where these would take more than about a minute (63,000 rows of 50 columns, 26,000 of
        784) and pynndescent is installed, it searches. Sparse tables are always searched by all distances.
        "ball_tree" is the k-d tree, which finds the same.
    random_state : int, RandomState or None, default=None
        Taken and not used: the iteration has one start.
    n_jobs : int, optional
        Taken and not used: threads are those of `unmix.execution`.

    Attributes
    ----------
    embedding_ : ndarray of shape (n, n_components)
        The map, smoothest coordinate first; columns have length 1, mean 0, and a positive largest entry.
    reconstruction_error_ : float
        ``Σ_i ‖u_i - Σ_j w_ij u_j‖²``, for "modified" over all sets of weights; for "hessian" and "ltsa" what the map
        has of the directions it should not have.
    nbrs_ : NearestNeighbors
        scikit-learn's, of the rows of the fit, made when it is asked for.
    distortion_ : ndarray of shape (n,)
        The share of each row's ``n_neighbors_`` nearest rows in the map that are not among its nearest in the data.
        Where it is high, what looks near or far in the map need not be.
    row_errors_ : ndarray of shape (n,)
        ``‖x_i - Σ_j w_ij x_j‖²`` as a share of the mean squared distance of the neighbours: how far the sheet is from
        flat there.
    n_pieces_ : int
        Pieces of the neighbour graph which no neighbour leads out of. More than one are joined by the shortest links,
        with a warning.
    n_neighbors_ : int
        ``n_neighbors``, or less if there are fewer distinct rows.
    neighbors_algorithm_ : str
        How neighbours were found.
    fit_rows_ : ndarray or CSR array of shape (n, d)
        The rows of the fit, among which `transform` looks for neighbours.
    n_features_in_ : int

    References
    ----------
    Roweis & Saul, Nonlinear dimensionality reduction by locally linear embedding, Science 290 (2000).
    Zhang & Wang, MLLE: modified locally linear embedding using multiple weights, NIPS 2006.
    Donoho & Grimes, Hessian eigenmaps, Proc. Natl. Acad. Sci. 100 (2003).
    Zhang & Zha, Principal manifolds and nonlinear dimension reduction via local tangent space alignment, SIAM J.
    Scientific Computing 26 (2004).

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.embedding import LocallyLinearEmbedding
    >>> angle = np.linspace(0, 5, 200)
    >>> X = np.column_stack([np.cos(angle), np.sin(angle)])  # most of a circle, a curve of one dimension
    >>> model = LocallyLinearEmbedding(1, n_neighbors=4).fit(X)
    >>> steps = np.diff(model.embedding_[:, 0])
    >>> bool((steps > 0).all() or (steps < 0).all())
    True
    >>> bool(model.distortion_.max() < 0.3)
    True
    """

    def __init__(
        self,
        n_components=2,
        *,
        n_neighbors=5,
        reg=1e-3,
        eigen_solver="auto",
        tol=1e-6,
        max_iter=100,
        method="standard",
        hessian_tol=1e-4,
        modified_tol=1e-12,
        neighbors_algorithm="auto",
        random_state=None,
        n_jobs=None,
    ):
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.reg = reg
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.hessian_tol = hessian_tol
        self.modified_tol = modified_tol
        self.neighbors_algorithm = neighbors_algorithm
        self.random_state = random_state
        self.n_jobs = n_jobs

    @with_callbacks
    def fit(self, X, y=None):
        """Find the map.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n, d), path, or dask collection
        y : ignored

        Returns
        -------
        self
        """
        self._check_parameters()
        blocks = self._blocks(X, reset=True, min_rows=2)
        self._check_size(*blocks.shape)
        rows = blocks.gather()
        rows = csr_array(rows, copy=True) if blocks.sparse else np.array(rows)  # kept, whatever becomes of X
        algorithm = self._check_algorithm(rows)
        with self._fitting(blocks, 0):
            solver = Solver(self.eigen_solver, float(self.tol), int(self.max_iter))
            method = Method(self.method, float(self.modified_tol), solver)
            found = embed(rows, self.n_neighbors, self.n_components, float(self.reg), algorithm, method)
        self.embedding_, self.fit_rows_ = found.points.astype(rows.dtype), rows
        self.reconstruction_error_ = float(found.eigenvalues.sum())
        dtype = self.embedding_.dtype
        self.distortion_, self.row_errors_ = found.distortion.astype(dtype), found.errors.astype(dtype)
        self.neighbors_algorithm_ = algorithm
        self.n_pieces_, self.n_neighbors_ = found.pieces, max(1, min(self.n_neighbors, found.distinct - 1))
        self._warn(found)
        return self

    def fit_transform(self, X, y=None):
        """The places of the rows themselves."""
        return self.fit(X).embedding_

    def transform(self, X):
        """Place new rows: the mean of the places of their nearest rows of the fit, by weights found as in the fit.

        A row of the fit gets its own place. Far from all rows of the fit the place means little.
        """
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False)
        return blocks.map(_place, self.fit_rows_, self.embedding_, self.n_neighbors_, float(self.reg))

    def distortion(self, X, *, n_neighbors=10, rows=None):
        """The share of each row's nearest rows on the map that are not among its nearest in the data.

        For the rows of the fit, or new ones among themselves; ``rows`` are the numbers of those to look at, by default
        all. See `unmix.embedding.distortion`.
        """
        check_is_fitted(self)
        blocks = self._blocks(X, reset=False)
        places = blocks.map(_place, self.fit_rows_, self.embedding_, self.n_neighbors_, float(self.reg))
        return distortion(blocks.gather(), places, n_neighbors=n_neighbors, rows=rows)

    @property
    def nbrs_(self):
        """scikit-learn's search among the rows of the fit."""
        from sklearn.neighbors import NearestNeighbors

        check_is_fitted(self)
        known = self.neighbors_algorithm if self.neighbors_algorithm in ("kd_tree", "ball_tree", "brute") else "auto"
        return NearestNeighbors(n_neighbors=self.n_neighbors, algorithm=known).fit(self.fit_rows_)

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]

    def _check_parameters(self) -> None:
        whole_number("n_components", self.n_components, 1)
        whole_number("n_neighbors", self.n_neighbors, 1)
        zero_or_more("reg", self.reg)
        one_of("method", self.method, METHODS)
        one_of("eigen_solver", self.eigen_solver, ("auto", "arpack", "dense"))
        for name in ("tol", "hessian_tol", "modified_tol"):
            zero_or_more(name, getattr(self, name))
        whole_number("max_iter", self.max_iter, 1)
        least = least_neighbors(self.method, self.n_components) + 1
        if self.method != "standard" and self.n_neighbors < least:
            raise ValueError(f"n_neighbors={self.n_neighbors} with method={self.method!r}: give at least {least}")

    def _check_algorithm(self, rows: Any) -> str:
        one_of("neighbors_algorithm", self.neighbors_algorithm, (*ALGORITHMS, "ball_tree"))
        wanted = "kd_tree" if self.neighbors_algorithm == "ball_tree" else self.neighbors_algorithm
        algorithm = choose_algorithm(wanted, rows)
        if hasattr(rows, "tocsr") and algorithm != "brute":
            raise ValueError(f"neighbors_algorithm={algorithm!r} takes no sparse table; give 'auto' or 'brute'")
        return algorithm

    def _check_size(self, n: int, d: int) -> None:
        if self.method in ("hessian", "ltsa") and self.n_components > d:
            raise ValueError(
                f"n_components={self.n_components} with method={self.method!r}: rows of {d} column(s) have no more "
                f"coordinates than that; give at most {d}"
            )
        for name in ("n_neighbors", "n_components"):
            if getattr(self, name) >= n:
                raise ValueError(f"{name}={getattr(self, name)} of n_samples={n}: give at most {n - 1}, or more rows")

    def _warn(self, found: LocalMap) -> None:
        if found.pieces > 1:
            warnings.warn(
                f"the neighbour graph falls into {found.pieces} pieces; they were joined by the shortest links, and "
                "how they lie to each other in the map means little. Raise n_neighbors, or map each piece by itself.",
                UserWarning,
                stacklevel=4,
            )
        if found.distinct <= self.n_components:
            warnings.warn(
                f"X has {found.distinct} distinct row(s), too few for n_components={self.n_components}; the last "
                "coordinates are 0.",
                UserWarning,
                stacklevel=4,
            )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _place(block: Any, rows: None, fit_rows: Any, places: np.ndarray, k: int, reg: float) -> np.ndarray:
    sparse = hasattr(fit_rows, "tocsr")
    if sparse != hasattr(block, "tocsr"):
        block = csr_array(block) if sparse else block.toarray()
    return place(block, fit_rows, places, k, reg).astype(block.dtype)
