"""Online dictionary learning: atoms from rows that come a few at a time."""

from __future__ import annotations

import numpy as np

from unmix.algorithms.dictionary.online import (
    Coder,
    OnlineState,
    begin,
    change_unit,
    in_order,
    learn_batch,
    online_dictionary,
)
from unmix.algorithms.sparse_codes.encode import rule_for
from unmix.algorithms.sparse_codes.range import in_unit, safe_unit
from unmix.core.arguments import whole_number
from unmix.decomposition.dictionary_learning import check_init, first_atoms
from unmix.decomposition.in_dictionary import Coding, InDictionary, check_coding
from unmix.shell.progress import with_callbacks


class MiniBatchDictionaryLearning(InDictionary):
    """Online dictionary learning: atoms for sparse codes, improved after every few rows.

    Objective: as `DictionaryLearning`, ``min Σ w ‖x - z U‖²`` with at most s non-zeros a code (``method="omp"``), or
    ``min Σ w (½ ‖x - z U‖² + alpha Σ|z|)`` ("lasso"); atoms have length one.

    Algorithm: code a batch with the present atoms, add its codes to the sums ``A = Σ w zᵀz`` and ``B = Σ w zᵀx``, in
    which older batches fade, and set one atom after the other to the minimum of the quadratic they describe. Atoms that
    are hardly used or much like another go to the worst residuals. Memory is k² + k d beside the batch; a batch of m
    rows costs m k d + m k s² / 2 + k² d.

    Parameters
    ----------
    n_components : int, optional
        The number of atoms, k; by default as many as columns.
    method : {"omp", "lasso"}, default="omp"
        How rows are coded.
    transform_n_nonzero_coefs : int, optional
        Most non-zeros of a code. By default a tenth of the columns, with `transform_tol` as many as it takes.
    transform_tol : float, optional
        Stop a code when ``‖x - z U‖ ≤ transform_tol``.
    transform_relative_tol : float, optional
        Stop a code when ``‖x - z U‖ ≤ transform_relative_tol ‖x‖``, in the place of `transform_tol`.
    alpha : float, default=1.0
        The price of the lasso.
    batch_size : int, default=256
    max_iter : int, default=20
        Passes over the rows of `fit`.
    init : {"samples", "random", "dct"} or (k, d) array, default="samples"
        The first atoms; "samples" are rows of the (first) data.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    components_ : (k, n_features_in_) array
        Atoms of length one; after `fit` by falling energy, the largest entry of each positive.
    code_products_, code_signals_ : (k, k) and (k, n_features_in_) arrays
        The sums A and B, of the rows times `unit_`.
    unit_ : float
        1, or for rows of extreme size the power of four that brings them where squares can be summed.
    n_iter_ : int
        Passes of `fit`.
    n_steps_ : int
        Batches seen.
    trace_ : list of dict
        The squared error of the codes of each pass (of rows times `unit_`), each batch coded with the atoms it found.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    References
    ----------
    Mairal, Bach, Ponce & Sapiro, Online learning for matrix factorization and sparse coding, JMLR 11, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import MiniBatchDictionaryLearning
    >>> rng = np.random.default_rng(0)
    >>> atoms = rng.normal(size=(24, 16))
    >>> X = np.vstack([rng.normal(size=2) @ atoms[rng.choice(24, 2, replace=False)] for _ in range(2000)])
    >>> model = MiniBatchDictionaryLearning(24, transform_n_nonzero_coefs=2, random_state=0).fit(X)
    >>> left = X - model.inverse_transform(model.transform(X))
    >>> bool(np.linalg.norm(left) < 0.2 * np.linalg.norm(X))
    True
    """

    def __init__(
        self,
        n_components=None,
        *,
        method="omp",
        transform_n_nonzero_coefs=None,
        transform_tol=None,
        transform_relative_tol=None,
        alpha=1.0,
        batch_size=256,
        max_iter=20,
        init="samples",
        random_state=None,
    ):
        self.n_components = n_components
        self.method = method
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_tol = transform_tol
        self.transform_relative_tol = transform_relative_tol
        self.alpha = alpha
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.init = init
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Learn atoms from the rows of X, in `max_iter` passes.

        A row of weight 2 counts as two in its batch; the two rows themselves may come in different batches.
        """
        self._check_parameters()
        blocks, weights = self._counted(sample_weight, self._signals(X, reset=True))
        seed = self._seed()
        with self._fitting(blocks, seed, weights):
            self.unit_ = safe_unit(blocks)
            knowledge = self._begin(blocks, weights, seed)
            coder = self._coder(knowledge.atoms)
            knowledge = online_dictionary(
                blocks, knowledge, coder, self.batch_size, self.max_iter, seed, weights, self.unit_
            )
        self.n_iter_ = self.max_iter
        return self._store(in_order(knowledge))

    def partial_fit(self, X, y=None, sample_weight=None):
        """Go on with the rows of X, in one pass and in their order; atoms keep their places."""
        self._check_parameters()
        fresh = not hasattr(self, "components_")
        blocks, weights = self._counted(sample_weight, self._signals(X, reset=fresh))
        unit = safe_unit(blocks, 1.0 if fresh else self.unit_)
        knowledge = self._begin(blocks, weights, self._seed()) if fresh else self._knowledge(unit)
        self.unit_ = unit
        coder = self._coder(knowledge.atoms)
        for start in range(0, blocks.shape[0], self.batch_size):
            some = np.arange(start, min(start + self.batch_size, blocks.shape[0]))
            batch_weights = None if weights is None else weights[some]
            knowledge, _ = learn_batch(in_unit(blocks.take(some), unit), knowledge, coder, batch_weights)
        return self._store(knowledge)

    def _begin(self, blocks, weights, seed) -> OnlineState:
        k = self.n_components or blocks.shape[1]
        return begin(first_atoms(self.init, blocks, k, weights, seed, anywhere=True))

    def _knowledge(self, unit) -> OnlineState:
        known = OnlineState(self.components_, self.code_products_, self.code_signals_, self.n_steps_)
        return known if unit == self.unit_ else change_unit(known, unit / self.unit_)

    def _coder(self, atoms) -> Coder:
        if self.method == "lasso":
            return Coder(None, float(self.alpha) * self.unit_)
        stop = None if self.transform_tol is None else self.transform_tol * self.unit_
        k, d = atoms.shape
        return Coder(rule_for(self.transform_n_nonzero_coefs, stop, k, d, self.transform_relative_tol))

    def _store(self, knowledge: OnlineState):
        self.components_, self.code_products_, self.code_signals_ = knowledge.atoms, knowledge.A, knowledge.B
        self.n_steps_ = knowledge.batches
        return self

    def _coding(self):
        relative = self.transform_relative_tol
        count, stop = self.transform_n_nonzero_coefs, self.transform_tol
        return Coding(self.method, count, stop, self.alpha, relative_tol=relative)

    def _signals(self, X, reset):
        return self._blocks(X, reset=reset)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = False
        return tags

    def _check_parameters(self) -> None:
        if self.method not in ("omp", "lasso"):
            raise ValueError(f"method={self.method!r} is not known; choose 'omp' or 'lasso'")
        check_coding(self._coding(), "transform_")
        if self.n_components is not None:
            whole_number("n_components", self.n_components, 1, ", or None for as many as columns")
        whole_number("max_iter", self.max_iter, 1)
        whole_number("batch_size", self.batch_size, 1)
        check_init(self.init)
