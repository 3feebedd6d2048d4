"""Sparse coding: each row as a combination of few atoms of a given dictionary."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_array

from unmix.algorithms.bases.cosine import dct_basis, overcomplete_dct
from unmix.algorithms.bases.fourier import fourier_basis
from unmix.core.arguments import one_of
from unmix.decomposition.shared.in_dictionary import InDictionary, check_coding
from unmix.shell.progress import with_callbacks

NAMED_DICTIONARIES = {
    "dct": dct_basis,
    "overcomplete_dct": lambda d: overcomplete_dct(2 * d, d),
    "fourier": fourier_basis,
}


class SparseCoder(InDictionary):
    """Sparse coding in a fixed dictionary: ``X ≈ Z U`` with few non-zeros a code, atoms are the rows of U.

    Objective, for every row: ``min ‖x - z U‖²`` with at most `transform_n_nonzero_coefs` non-zeros in z ("omp", "mp"),
    the fewest non-zeros with ``‖x - z U‖ ≤ transform_tol`` or ``≤ transform_relative_tol ‖x‖``, or
    ``min ½ ‖x - z U‖² + transform_alpha Σ|z|`` ("lasso_lars", "lasso_cd").

    Algorithm: the first two are hard in general, and pursuit is greedy: it takes the atom most like the residual and
    either refits all taken so far ("omp", orthogonal matching pursuit) or subtracts the new one's share ("mp"). If a
    code with fewer than `recovery_bound(U)` non-zeros exists, both find its atoms. The lasso is convex and solved to
    rounding by steps on active sets. Everything runs on inner products: for n rows, k atoms and s non-zeros the cost is
    n k d + n k s² / 2, compiled, over all threads. Nothing is learned, so `transform` needs no `fit`.

    Parameters
    ----------
    dictionary : (k, d) array or {"dct", "overcomplete_dct", "fourier"}, default="dct"
        Atoms as rows, of any length (zero and repeated ones do no harm), or the name of a dictionary for as many
        columns as the data have; "overcomplete_dct" has 2 d atoms.
    transform_algorithm : {"omp", "mp", "lasso_lars", "lasso_cd", "lars", "threshold"}, default="omp"
        "lasso_lars" and "lasso_cd" are two names of one problem, which has one answer. "lars" is least angle regression
        (scikit-learn's), "threshold" takes `transform_alpha` from every inner product with an atom.
    transform_n_nonzero_coefs : int, optional
        Most non-zeros of a code, for "omp", "mp" and "lars". By default a tenth of the columns, with `transform_tol`
        as many as it takes.
    transform_alpha : float, optional
        The price of the lasso, or the threshold; 1 by default.
    transform_tol : float, optional
        Stop a pursuit when ``‖x - z U‖ ≤ transform_tol``; where a row has NaN, at the same mean square of an entry.
    transform_relative_tol : float, optional
        Stop when ``‖x - z U‖ ≤ transform_relative_tol ‖x‖``, over the entries that are known: the same in any unit of
        any row. In the place of `transform_tol`.
    split_sign : bool, default=False
        Codes of 2 k columns: positive parts, then negative parts.
    positive_code : bool, default=False
        Codes from 0 up, of the lasso or the threshold.
    transform_max_iter : int, default=1000
        Most steps of the lasso on the active set of one row.
    n_jobs : int, optional
        Taken and not used: threads are those of `unmix.execution`.
    output : {"dense", "sparse"}, default="dense"
        What `transform` returns: an array, or a CSR array of the non-zeros.
    missing : {"error", "ignore"}, default="error"
        Refuse NaN, or take them for entries that were not observed (in a pursuit and the lasso).

    Attributes
    ----------
    components_ : (k, n_features_in_) array
        The dictionary, as given, in the precision of the data; set by `fit`.
    n_components_ : int
        The number of atoms.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    Notes
    -----
    With ``missing="ignore"`` NaN are entries that were not observed: such a row is coded by the observed part of the
    atoms, in a pursuit each compared at the length that part has. ``inverse_transform`` then fills the gaps. "lars" and
    "threshold" refuse them.

    References
    ----------
    Mallat & Zhang, Matching pursuits with time-frequency dictionaries, IEEE Trans. Signal Processing 41, 1993.
    Pati, Rezaiifar & Krishnaprasad, Orthogonal matching pursuit, Asilomar 1993. Rubinstein, Zibulevsky & Elad,
    Efficient implementation of the K-SVD algorithm using batch orthogonal matching pursuit, 2008. Tropp, Greed is good,
    IEEE Trans. Information Theory 50, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import SparseCoder, dct_basis
    >>> U = np.vstack([np.eye(16), dct_basis(16)])
    >>> x = 3 * U[2] - 2 * U[20]
    >>> coder = SparseCoder(U, transform_n_nonzero_coefs=2)
    >>> code = coder.transform([x])
    >>> np.flatnonzero(code), code[code != 0].round(3)
    (array([ 2, 20]), array([ 3., -2.]))
    >>> bool(np.allclose(coder.inverse_transform(code), x))
    True
    """

    def __init__(
        self,
        dictionary="dct",
        *,
        transform_algorithm="omp",
        transform_n_nonzero_coefs=None,
        transform_alpha=None,
        transform_tol=None,
        transform_relative_tol=None,
        split_sign=False,
        n_jobs=None,
        positive_code=False,
        transform_max_iter=1000,
        output="dense",
        missing="error",
    ):
        self.dictionary = dictionary
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.transform_tol = transform_tol
        self.transform_relative_tol = transform_relative_tol
        self.split_sign = split_sign
        self.n_jobs = n_jobs
        self.positive_code = positive_code
        self.transform_max_iter = transform_max_iter
        self.output = output
        self.missing = missing

    @with_callbacks
    def fit(self, X, y=None):
        """Check the parameters against the columns of X; nothing is learned."""
        self._check_parameters()
        blocks = self._signals(X, reset=True)
        self.components_ = self._atoms(blocks.shape[1]).astype(blocks.dtype)
        return self

    def transform(self, X):
        """Codes Z (n, k) of the rows of X, or (n, 2 k) with ``split_sign``; `fit` need not have been called."""
        self._check_parameters()
        if hasattr(self, "components_"):
            return super().transform(X)
        return clone(self).fit(X).transform(X)

    def inverse_transform(self, X):
        """``Z U``: rows from their codes, dense or CSR."""
        return self._decoded(X, self.components_ if hasattr(self, "components_") else self._given())

    @property
    def n_components_(self) -> int:
        """The number of atoms."""
        return len(self.components_ if hasattr(self, "components_") else self._given())

    @property
    def _n_features_out(self):
        return self.n_components_ * (2 if self.split_sign else 1)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def _check_parameters(self) -> None:
        check_coding(self)
        one_of("output", self.output, ("dense", "sparse"))

    def _atoms(self, d):
        if isinstance(self.dictionary, str):
            one_of("dictionary", self.dictionary, tuple(NAMED_DICTIONARIES), "an array of atoms")
            return NAMED_DICTIONARIES[self.dictionary](d)
        atoms = self._given()
        if atoms.shape[1] != d:
            raise ValueError(
                f"Dictionary and X have different numbers of features: atoms of dictionary have length "
                f"{atoms.shape[1]}, X has {d} features; they must agree"
            )
        return atoms

    def _given(self):
        """The atoms, where they do not wait for the number of columns."""
        if isinstance(self.dictionary, str):
            raise ValueError(f"dictionary={self.dictionary!r} is made for the columns of X: call fit(X) first")
        return check_array(self.dictionary, dtype=np.float64, input_name="dictionary")
