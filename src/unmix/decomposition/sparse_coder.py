"""Sparse coding: each row as a combination of few atoms of a given dictionary."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_array

from unmix.algorithms.bases.cosine import dct_basis, overcomplete_dct
from unmix.algorithms.bases.fourier import fourier_basis
from unmix.decomposition.in_dictionary import Coding, InDictionary, check_coding
from unmix.shell.progress import with_callbacks

NAMED_DICTIONARIES = {
    "dct": dct_basis,
    "overcomplete_dct": lambda d: overcomplete_dct(2 * d, d),
    "fourier": fourier_basis,
}


class SparseCoder(InDictionary):
    """Sparse coding in a fixed dictionary: ``X ≈ Z U`` with few non-zeros a code, atoms are the rows of U.

    Objective, for every row: ``min ‖x - z U‖²`` with at most `n_nonzero` non-zeros in z ("omp", "mp"), the fewest
    non-zeros with ``‖x - z U‖ ≤ tol`` or ``≤ relative_tol ‖x‖``, or ``min ½ ‖x - z U‖² + alpha Σ|z|`` ("lasso").

    Algorithm: the first two are hard in general, and pursuit is greedy: it takes the atom most like the residual and
    either refits all taken so far ("omp", orthogonal matching pursuit) or subtracts the new one's share ("mp"). If a
    code with fewer than `recovery_bound(U)` non-zeros exists, both find its atoms. The lasso is convex and solved to
    rounding by steps on active sets. Everything runs on inner products: for n rows, k atoms and s non-zeros the cost is
    n k d + n k s² / 2, compiled, over all threads.

    Parameters
    ----------
    dictionary : (k, d) array or {"dct", "overcomplete_dct", "fourier"}, default="dct"
        Atoms as rows, of any length (zero and repeated ones do no harm), or the name of a dictionary for as many
        columns as the data have; "overcomplete_dct" has 2 d atoms.
    method : {"omp", "mp", "lasso"}, default="omp"
    n_nonzero : int, optional
        Most non-zeros of a code. By default a tenth of the columns, with `tol` as many as it takes. Not for "lasso".
    tol : float, optional
        Stop when ``‖x - z U‖ ≤ tol``; where a row has NaN, at the same mean square of an entry. Not for "lasso".
    relative_tol : float, optional
        Stop when ``‖x - z U‖ ≤ relative_tol ‖x‖``, over the entries that are known: the same in any unit of any row.
        In the place of `tol`.
    alpha : float, default=1.0
        The price of the lasso. Not for pursuit.
    output : {"dense", "sparse"}, default="dense"
        What `transform` returns: an array, or a CSR array of the non-zeros.

    Attributes
    ----------
    components_ : (k, n_features_in_) array
        The dictionary, as given, in the precision of the data.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    Notes
    -----
    NaN are entries that were not observed: such a row is coded by the observed part of the atoms, in a pursuit each
    compared at the length that part has. ``inverse_transform`` then fills the gaps.

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
    >>> coder = SparseCoder(U, n_nonzero=2).fit([x])
    >>> code = coder.transform([x])
    >>> np.flatnonzero(code), code[code != 0].round(3)
    (array([ 2, 20]), array([ 3., -2.]))
    >>> bool(np.allclose(coder.inverse_transform(code), x))
    True
    """

    def __init__(
        self, dictionary="dct", *, method="omp", n_nonzero=None, tol=None, relative_tol=None, alpha=1.0, output="dense"
    ):
        self.dictionary = dictionary
        self.method = method
        self.n_nonzero = n_nonzero
        self.tol = tol
        self.relative_tol = relative_tol
        self.alpha = alpha
        self.output = output

    @with_callbacks
    def fit(self, X, y=None):
        """Check the parameters against the columns of X; nothing is learned."""
        check_coding(self._coding())
        if self.output not in ("dense", "sparse"):
            raise ValueError(f"output={self.output!r}: choose 'dense' or 'sparse'")
        blocks = self._signals(X, reset=True)
        self.components_ = self._atoms(blocks.shape[1]).astype(blocks.dtype)
        return self

    def _coding(self):
        return Coding(self.method, self.n_nonzero, self.tol, self.alpha, self.output == "sparse", self.relative_tol)

    def _atoms(self, d):
        if isinstance(self.dictionary, str):
            if self.dictionary not in NAMED_DICTIONARIES:
                names = ", ".join(map(repr, NAMED_DICTIONARIES))
                raise ValueError(
                    f"dictionary={self.dictionary!r} is not known; give an array of atoms or one of {names}"
                )
            return NAMED_DICTIONARIES[self.dictionary](d)
        atoms = check_array(self.dictionary, dtype=np.float64, input_name="dictionary")
        if atoms.shape[1] != d:
            raise ValueError(
                f"dictionary has atoms of length {atoms.shape[1]}, but X has {d} features; they must agree"
            )
        return atoms
