"""Ctrl-C in several stages: the first one ends the search with its best so far, the second one is an error."""

import signal
import threading
import time

import numpy as np
import pytest

from unmix.roles import Access, mine
from unmix.roles.cover import first_fit
from unmix.roles.description import fit as description_fit
from unmix.roles.noise import annealed_roles
from unmix.roles.problem.budget import Budget
from unmix.roles.problem.patience import TimeOver, check_time, ending, listening, patiently


def table(n=80, seed=0):
    rng = np.random.default_rng(seed)
    roles = np.kron(np.eye(5, dtype=int), np.ones((1, 8), int))
    held = np.array([np.isin(np.arange(5), rng.choice(5, rng.integers(1, 3), replace=False)) for _ in range(n)])
    return (held.astype(int) @ roles > 0) ^ (rng.random((n, 40)) < 0.01)


def pressing(function, calls):
    """The same, with Ctrl-C pressed as it is called for the first time."""

    def pressed(*given, **named):
        calls.append(1)
        if len(calls) == 1:
            signal.raise_signal(signal.SIGINT)
        return function(*given, **named)

    return pressed


STAGES = {
    "first fit": (first_fit, "fit_once", {}),
    "candidates": (description_fit, "candidates", {"problem": "infer", "max_roles_per_user": 4}),
    "choice": (description_fit, "choose", {"problem": "infer", "max_roles_per_user": 4}),
    "users and roles": (description_fit, "refine", {"problem": "infer", "max_roles_per_user": 4}),
    "model": (annealed_roles, "step", {"problem": "infer", "n_roles": 4, "n_init": 1}),
}


@pytest.mark.parametrize("stage", STAGES)
def test_the_first_ctrl_c_gives_the_best_so_far(stage, monkeypatch):
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        pytest.skip("the test runner handles Ctrl-C itself")
    place, name, asked = STAGES[stage]
    calls: list[int] = []
    monkeypatch.setattr(place, name, pressing(getattr(place, name), calls))
    found = mine(table(), **asked)
    assert calls
    assert found.interrupted and not found.proven
    assert found.verify()
    assert found.names
    assert found.certificate.startswith("interrupted")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_second_ctrl_c_is_an_error_and_other_handlers_stay():
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        pytest.skip("the test runner handles Ctrl-C itself")
    with pytest.raises(KeyboardInterrupt), listening(Budget(None)) as budget:
        signal.raise_signal(signal.SIGINT)
        assert budget.interrupted
        signal.raise_signal(signal.SIGINT)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with listening(Budget(None)):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_nobody_waits_for_a_solver_beyond_the_whole_time():
    done, budget = threading.Event(), Budget(0.01)
    assert patiently(done.wait, budget.part(0.5)) is None  # it would wait for ever
    done.set()
    stopped = Budget(None)
    stopped.interrupt()
    release = threading.Event()
    assert patiently(release.wait, stopped.part(0.5)) is None
    release.set()


def test_what_a_solver_says_comes_through():
    assert patiently(lambda: time.monotonic() > 0, Budget(None)) is True
    with pytest.raises(ZeroDivisionError):
        patiently(lambda: 1 / 0, Budget(None))


def test_a_model_ends_with_its_budget_only_inside():
    check_time()
    with pytest.raises(TimeOver), ending(Budget(0.0)):
        check_time()
    check_time()


def test_a_model_that_is_not_ready_in_time_leaves_roles_by_description():
    users = [f"u{i}" for i in range(80)]
    found = mine(Access(users, [f"p{j}" for j in range(40)], table()), "infer", n_roles=4, time_limit=1e-6)
    assert found.verify()
    assert not hasattr(found, "model")
