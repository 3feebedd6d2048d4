"""The same table, however its file is dressed, in `fit(path)`, `explore`, `select` and `separate`."""

import numpy as np
import pytest

from tests.io.odd_files import FILES
from unmix.exploration.columns.preparation import kinds_of
from unmix.io import as_matrix, open_source, read_table
from unmix.io.dispatch import as_blocks
from unmix.separation.recording.read_signals import from_table
from unmix.validation.fits.table import read_table as read_for_select


@pytest.fixture(params=FILES, scope="module")
def odd(request, tmp_path_factory):
    file = FILES[request.param]
    path = tmp_path_factory.mktemp("odd") / file.name
    path.write_bytes(file.data)
    return file, path


def same(found, expected):
    return np.array_equal(np.asarray(found, float), expected, equal_nan=True)


def test_fit_reads_names_and_numbers(odd):
    file, path = odd
    blocks = as_blocks(path)
    assert blocks.names == file.names
    assert same(blocks.gather(), file.numbers)


def test_the_whole_table_is_what_is_streamed(odd):
    file, path = odd
    table = read_table(path)
    found = as_matrix(table)
    assert (found.names, table.row_names) == (file.names, file.row_names)
    assert same(found.values, file.numbers)


def test_explore_sees_the_same_numbers(odd):
    file, path = odd
    table = read_table(str(path))
    kinds = dict(zip(table.frame.columns, kinds_of(table.frame, table.row_names)))
    assert kinds.pop(file.row_names).kind == "id" if file.row_names else True
    assert list(kinds) == file.names
    for kind, expected in zip(kinds.values(), np.transpose(file.numbers)):
        if kind.form == "numeric":
            assert same(kind.values, expected)
        elif kind.kind in ("counter", "code"):
            assert same(kind.values.cast(float), expected)
        else:  # too few values to tell a number from a truth value or a constant
            assert kind.kind in ("boolean", "constant")


class Takes:
    """A model that takes missing values."""

    def __sklearn_tags__(self):
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=InputTags(allow_nan=True))


def test_select_sees_the_same_numbers(odd):
    file, path = odd
    if len(file.numbers) > 1:
        assert same(read_for_select(Takes(), path), file.numbers)


def test_separate_sees_the_same_numbers(odd):
    file, path = odd
    signals = from_table(read_table(path))
    columns = dict(zip(file.names, np.transpose(file.numbers)))
    kept = {signals.time[0], *signals.names} if signals.time else set(signals.names)
    assert kept >= set(file.names)
    for name, values in zip(signals.names, signals.values.T):
        assert name == file.row_names or same(values, columns[name])


def test_precision_of_the_fit_is_kept(odd):
    file, path = odd
    with np.errstate(over="ignore"):
        expected = np.array(file.numbers, np.float32)
        found = open_source(path, np.float32).read(0, len(expected))
    assert found.dtype == np.float32 and np.array_equal(found, expected, equal_nan=True)
