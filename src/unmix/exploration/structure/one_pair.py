"""Do groups of a table with categories rest on two columns alone?  Two columns that go together are one relation.

Classes in which columns are unrelated can be told from a mere relation by three columns at the least (Goodman 1974: of
two, any relation is explained by classes). So without one of the two columns that go together most, whichever it is,
rows still have to come closer together than one cloud surely explains.
"""

from __future__ import annotations

import numpy as np

from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.structure.cloud import chance_of, fit_cloud
from unmix.exploration.structure.evaluation_set import Rows

_one_cloud = 0.9  # its probability where no groups are left; of classes it is hardly above a half


def one_pair(prepared: Prepared, looked_at: Rows, seed: int) -> tuple[str, str] | None:
    """The two columns, where all that the rows have in common is a relation between them; both are categories."""
    columns = list(dict.fromkeys(prepared.owner.tolist()))
    if len(columns) < 2:
        return None
    pair = _closest(prepared, columns)
    if not prepared.category[np.isin(prepared.owner, pair)].all():
        return None  # a number may have gaps of its own
    if len(columns) > 2 and not any(_one_cloud_left(prepared, looked_at, columns, column, seed) for column in pair):
        return None
    return prepared.columns[pair[0]].name, prepared.columns[pair[1]].name


def _one_cloud_left(prepared: Prepared, looked_at: Rows, columns: list[int], without: int, seed: int) -> bool:
    cloud = fit_cloud(_left(prepared, columns, without), looked_at.numbers, seed)
    return cloud is not None and chance_of(cloud, looked_at.X[:, prepared.owner != without], seed) >= _one_cloud


def _closest(prepared: Prepared, columns: list[int]) -> tuple[int, int]:
    """The two columns that have most squared covariance between their features."""
    X = prepared.X - prepared.X.mean(axis=0)
    belongs = (prepared.owner[:, None] == columns).astype(float)
    between = belongs.T @ (X.T @ X / len(X)) ** 2 @ belongs
    i, j = divmod(int(np.triu(between, 1).argmax()), len(columns))
    return columns[i], columns[j]


def _left(prepared: Prepared, columns: list[int], without: int) -> Prepared:
    kept = prepared.owner != without
    return prepared._replace(
        X=prepared.X[:, kept], owner=prepared.owner[kept], category=prepared.category[kept],
        holes=prepared.holes[:, kept],
        scales=[scale for column, scale in zip(columns, prepared.scales) if column != without],
    )  # fmt: skip
