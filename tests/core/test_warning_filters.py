"""Warnings are left out where it is wanted, and nowhere else: neither in other threads nor afterwards."""

import threading
import warnings

import pytest

from unmix.core.warning_filters import filters_for, muted, without_warnings


def told(*categories):
    with warnings.catch_warnings(record=True) as entries:
        warnings.simplefilter("always")
        with without_warnings(*categories):
            warnings.warn("a", UserWarning, stacklevel=1)
            warnings.warn("b", RuntimeWarning, stacklevel=1)
        warnings.warn("c", UserWarning, stacklevel=1)
    return "".join(str(entry.message) for entry in entries)


def test_only_the_given_categories_and_only_inside():
    assert (told(UserWarning), told(RuntimeWarning), told(Warning), told()) == ("bc", "ac", "c", "abc")


def test_warnings_that_are_errors_are_left_out_too():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with without_warnings(UserWarning):
            warnings.warn("a", UserWarning, stacklevel=1)
        with pytest.raises(UserWarning):
            warnings.warn("a", UserWarning, stacklevel=1)


def test_the_filters_are_as_before_whoever_leaves_last():
    """Two threads, one inside the time of the other or across its end."""
    before = list(warnings.filters)
    first_in, second_in, warned, first_out = (threading.Event() for _ in range(4))

    def first():
        with without_warnings(UserWarning):
            first_in.set()
            warned.wait(10)
        first_out.set()

    def second():
        first_in.wait(10)
        with without_warnings(UserWarning, RuntimeWarning):
            second_in.set()
            first_out.wait(10)
            warnings.warn("left out", UserWarning, stacklevel=1)

    threads = [threading.Thread(target=work) for work in (first, second)]
    for thread in threads:
        thread.start()
    second_in.wait(10)
    with pytest.warns(UserWarning, match="of this thread"):
        warnings.warn("of this thread", UserWarning, stacklevel=1)
    warned.set()
    for thread in threads:
        thread.join(10)
    assert list(warnings.filters) == before


def test_only_messages_that_begin_so():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with without_warnings(UserWarning, message="a large"):
            warnings.warn("a large one", UserWarning, stacklevel=1)
            with pytest.raises(UserWarning, match="small"):
                warnings.warn("a small one", UserWarning, stacklevel=1)


def test_filters_alone_leave_nothing_out():
    with filters_for(UserWarning):
        with pytest.warns(UserWarning, match="a"):
            warnings.warn("a", UserWarning, stacklevel=1)
        with muted(UserWarning):
            warnings.warn("left out", UserWarning, stacklevel=1)
