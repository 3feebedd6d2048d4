"""How kernels are compiled: they give what the plain function gives, are called from each other, and are heard."""

import gc
import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from unmix.core.compiled.compiling import tell_compiling, watch_compiling
from unmix.core.compiled.kernel import kernel
from unmix.core.scaling.column_sums import __name__ as some_module_with_kernels

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing compiles (NUMBA_DISABLE_JIT is set)")


@kernel
def square(x):
    return x * x


@kernel(error_model="numpy")
def sum_of_squares(values, shift):
    total = 0.0
    for value in values:
        total += square(value) / shift
    return total


@kernel(fastmath={"contract"})
def fails(x):
    if x > 0:
        raise ValueError("x is positive")
    return gc.isenabled  # a name numba cannot compile


@kernel
def entry_or_zero(values, i, wanted):
    return values[i] if wanted else 0.0


@kernel
def sum_from_the_second(values):
    total, i = entry_or_zero(values, 0, False), 0
    while i < len(values):
        total += entry_or_zero(values, i, True)
        i += 1
    return total - entry_or_zero(values, 0, wanted=True)


@kernel(no_cpython_wrapper=True)
def norm_by_a_copy(values):
    return np.sqrt((values * values).sum())


@kernel(makes_arrays=False)
def longest_row(parts):
    longest = 0.0
    for i in range(parts[0].shape[0]):
        longest = max(longest, norm_by_a_copy(parts[0][i]) + parts[1][i])
    return longest


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_kernels_call_each_other_and_may_be_called_by_tests(dtype):
    values = np.arange(5, dtype=dtype)
    assert sum_of_squares(values, 2.0) == 15.0
    assert square(3.0) == 9.0  # a function of kernels, called from Python
    assert square(np.float32(1.5)) == 2.25


@compiled_only
def test_a_kernel_releases_the_lock_and_keeps_its_options():
    assert sum_of_squares.targetoptions["nogil"]
    assert sum_of_squares(np.ones(1), 0.0) == np.inf  # of error_model="numpy"


def test_a_kernel_without_arrays_of_its_own_may_call_one_that_makes_them():
    """References to the arrays of a tuple are not counted then: they are as many after the call as before."""
    rows, more = np.arange(6.0).reshape(3, 2), np.array([0.0, 5.0, 0.0])
    held = sys.getrefcount(rows)
    for _ in range(100):
        assert longest_row((rows, more)) == pytest.approx(max(np.linalg.norm(rows, axis=1) + more))
    assert sys.getrefcount(rows) == held


@compiled_only
def test_references_are_counted_only_where_arrays_are_made():
    longest_row((np.ones((2, 2)), np.ones(2)))
    assert not longest_row.targetoptions["_nrt"]
    assert norm_by_a_copy.targetoptions["_nrt"]


@compiled_only
def test_literals_do_not_compile_an_inner_kernel_again():
    sum_from_the_second._cache.disable()  # one from disk brings its inner kernels with it, and asks for none
    assert sum_from_the_second(np.arange(1.0, 5.0)) == 9.0
    assert len(entry_or_zero.signatures) == 1
    assert entry_or_zero(np.ones(2), 1, True) == 1.0  # from Python, by the same code
    assert len(entry_or_zero.signatures) == 1


def test_without_a_compiler_a_kernel_is_the_function():
    code = "from unmix.core.compiled.kernel import kernel\ndef f(x): return x\n"
    code += "assert kernel(f) is f and kernel()(f) is f"
    subprocess.run([sys.executable, "-c", code], check=True, env=os.environ | {"NUMBA_DISABLE_JIT": "1"})


@compiled_only
def test_garbage_is_collected_again_after_a_kernel_that_cannot_be_compiled():
    with pytest.raises(numba.TypingError):
        fails(0.0)
    assert gc.isenabled()


@compiled_only
def test_garbage_that_nobody_collects_stays_so():
    gc.disable()
    try:
        square(1 + 2j)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_watching_ends_with_the_block():
    heard = []
    with watch_compiling(heard.append):
        tell_compiling("first")
    tell_compiling("second")
    assert heard == ["first"]


def test_watching_does_not_import_numba():
    code = "import sys, unmix.core.compiled.compiling; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@compiled_only
def test_only_kernels_of_the_package_are_heard():
    heard = []
    function = numba.njit(lambda x: x + 1)
    function.py_func.__module__ = some_module_with_kernels
    nameless = numba.njit(lambda x: x + 2)
    nameless.py_func.__module__ = None  # as of a function that was made by `exec`
    with watch_compiling(heard.append):
        numba.njit(lambda x: x + 1)(1)
        nameless(1)
        function(1)
    assert heard == ["<lambda>"]
