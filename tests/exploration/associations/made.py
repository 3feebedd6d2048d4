"""Columns of numbers and words as the comparisons read them."""

import numpy as np
import polars as pl

from unmix.exploration.associations.coding import code_levels, code_numbers, join
from unmix.exploration.associations.compare import compare
from unmix.exploration.associations.null import shuffled
from unmix.exploration.associations.pairs import Evidence, record

SHUFFLED = Evidence(shuffled, 1.0)


def coded(**columns):
    made = {}
    for name, values in columns.items():
        values = np.asarray(values)
        numbers = values.dtype.kind == "f"
        made[name] = code_numbers(values) if numbers else code_levels(pl.Series(name, [str(v) for v in values]))
    return join(len(values), made)


def upper(table):
    return np.triu(np.ones((len(table.names),) * 2, bool), 1)


def of_two(x, y, null=shuffled, seed=0):
    """The record of two columns, whether or not they go together."""
    table = coded(x=x, y=y)
    found = compare(table, None, null, np.random.default_rng(seed), upper(table))
    return record(table, 0, table, 1, found, Evidence(null, 1.0))


def alarm(table, null, seed):
    return compare(table, None, null, np.random.default_rng(seed), upper(table)).p_value.min() < 0.05
