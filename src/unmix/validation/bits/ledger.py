"""What kind of structure a table has, in bits: the code length of rows never seen, under each kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from unmix.core.arguments import whole_number
from unmix.core.random import derive, spawn
from unmix.validation.bits.fold import Fold, kinds_of, measure
from unmix.validation.bits.result import Ledger
from unmix.validation.bits.table import LEAST_ROWS, LedgerTable, gaps_of, ledger_table, precision_of
from unmix.validation.bits.verdict import FOLDS
from unmix.validation.evidence.held_out.folds import row_folds
from unmix.validation.fits.parallel import in_parallel
from unmix.validation.selection.select import seed_of


def ledger(
    X: Any, *, max_rows: int = 2000, random_state: int | np.random.RandomState | np.random.Generator | None = None
) -> Ledger:
    """How many bits a row costs if columns are independent, and how many factors, groups, parts or sources save.

    Every kind of structure is a density of whole rows. It is learned, its size included, from three quarters of the
    rows, and −log₂ of the density of each row of the last quarter is what this row costs; every row is held out once.
    All kinds are measured on the same rows with the same densities of single columns behind them, so their differences
    are dependence between columns alone and have a standard error over rows. A kind may answer that it finds nothing:
    then it is independent columns, and saves exactly 0.

    Parameters
    ----------
    X : table of numbers (n, d), frame with columns of any kinds, or the path of a file
        Missing cells (NaN) are allowed: a row then costs the bits of the cells it has. Categories, ordered categories
        and truth values are levels; so are numbers with at most 12 different values, each repeated.
    max_rows : int, default=2000
        A larger table is judged on this many rows drawn at random.
    random_state : int, RandomState, Generator or None
        The same number gives the same answer, on any number of threads.

    Returns
    -------
    Ledger
        ``verdict`` (in words), ``table``, ``bits`` (of every row under every kind), ``to_frame()``.

    Notes
    -----
    independent
        A mixture of at most four normal laws for each column or its logarithm; shares for levels.
    factors
        Factor analysis, x = u + W s + noise.
    groups
        A mixture whose columns are independent inside each group.
    both
        A mixture of factor analysers, with factors for each group or for all in common.
    parts
        Directions that a row has or lacks, over all sets of at most four. In a table without negative numbers they are
        non-negative.
    sources
        x = A s with as many independent sources as columns; only of numbers, and where no cell is missing.

    Factors, groups, both and sources are learned on normal scores of the columns (a Gaussian copula) or on their plain
    values, whichever costs less inside the rows known. A number is written to a hundredth of its column's spread
    (``precision``): a choice of units, which no difference between kinds depends on.

    Rows are taken as independent: a held-out row with a twin or a neighbour in time among those known looks cheap.

    Cost: a few hundred small fits; at 2000 rows and 8 columns three seconds of one core, nine if there is much to find.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 1)) @ np.ones((1, 4)) + rng.normal(size=(300, 4))
    >>> found = ledger(X, random_state=0)
    >>> found.leader
    'factors'
    """
    max_rows = whole_number("max_rows", max_rows, LEAST_ROWS)
    seed = seed_of(random_state)
    return ledger_of(ledger_table(X, max_rows, spawn(seed, 0)), seed)


def ledger_of(table: LedgerTable, seed: int, *, brief: bool = False, blocks: np.ndarray | None = None) -> Ledger:
    """`brief`: as much is learned from as many rows, but only half of the rows are held out, and fewer sizes tried.

    `blocks` (n,) tells which rows depend on each other: they are held out together, and each block is one observation.
    """
    gaps, rng = gaps_of(table.X), spawn(seed, 1)
    folds = row_folds(len(table.X), FOLDS, rng) if blocks is None else _block_folds(blocks, rng)
    folds = folds[: FOLDS // 2] if brief else folds
    found = in_parallel(
        lambda i: measure(table, gaps, *folds[i], derive(seed, 2, i), brief), len(folds), "ledger: folds"
    )
    names = kinds_of(table)
    precision = precision_of(table.X, table.levelled)
    held = np.sort(np.concatenate([fold.held for fold in found]))
    written = np.where(np.isfinite(table.X), np.log(precision), 0.0).sum(axis=1)
    unknown, known = (_bits(found, written, part)[held] for part in ("held", "known"))
    if blocks is not None:
        unknown, known = (_means(bits, blocks[held]) for bits in (unknown, known))
    by_fold = [_bits([fold], written, "known")[fold.known].mean(axis=0) for fold in found]
    sizes = {name: [fold.sizes[name] for fold in found] for name in names}
    notes = list(table.notes)
    if "sources" not in names:
        why = "all columns have levels" if table.levelled.all() else "cells are missing, and sources need whole rows"
        notes.append(f"Independent sources were not measured: {why}.")
    bits = [dict(zip(names, part.T)) for part in (unknown, known, np.stack(by_fold))]
    return Ledger(bits[0], bits[1], bits[2], sizes, precision, table.rows[held], notes)


def _block_folds(blocks: np.ndarray, rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows known and rows held out, whole blocks of them."""
    which = np.unique(blocks, return_inverse=True)[1]
    fold = (rng.permutation(which.max() + 1) % FOLDS)[which]
    return [(np.flatnonzero(fold != f), np.flatnonzero(fold == f)) for f in range(FOLDS)]


def _means(bits: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    _, which, counts = np.unique(blocks, return_inverse=True, return_counts=True)
    return np.stack([np.bincount(which, column) for column in bits.T], axis=1) / counts[:, None]


def _bits(folds: list[Fold], written: np.ndarray, part: str) -> np.ndarray:
    """(n, kinds): nats of rows in bits, every number written to its precision; means over folds that held or knew it.

    `part` is "held" or "known".
    """
    nats, times = np.zeros((len(written), len(folds[0].nats))), np.zeros((len(written), 1))
    for fold in folds:
        rows = getattr(fold, part)
        nats[rows] += fold.nats[:, rows].T
        times[rows] += 1
    return (nats / np.maximum(times, 1) - written[:, None]) / np.log(2)
