"""The share that is done rises and never falls, keeps to the shares of the stages, and the estimate to the clock."""

import numpy as np
import pytest

import unmix
from unmix.cli.terminal.stages import SHARES, Stages


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_shares_of_a_command_add_up():
    assert all(sum(shares.values()) == pytest.approx(1) for shares in SHARES.values())


def test_a_run_that_keeps_to_its_shares_is_told_rightly():
    """Stages of 1, 3 and 6 seconds of ten: at each beginning share and estimate are exact."""
    clock = Clock()
    stages = Stages({"a": 0.1, "b": 0.3, "c": 0.6}, clock)
    assert stages.begin("a") == "a, 0 %"
    clock.now = 1.0
    assert stages.begin("b") == "b, 10 %"  # too early for an estimate
    clock.now = 4.0
    assert stages.begin("c") == "c, 40 %, about 6 s left"
    assert stages.left() == pytest.approx(6.0)


def test_it_never_falls_and_never_reaches_a_stage_that_has_not_begun():
    rng = np.random.default_rng(0)
    for _ in range(50):
        clock, seen = Clock(), []
        stages = Stages({"a": 0.1, "b": 0.5, "c": 0.3, "d": 0.1}, clock)
        for stage in ("a", "unknown", "b", "d"):  # c is skipped
            stages.begin(stage)
            for _ in range(5):
                seen.append(stages.fraction())
                clock.now += rng.exponential(3.0)
        assert (np.diff(seen) >= 0).all()
        assert seen[-1] <= 1
        assert max(seen[:15]) <= 0.6


def test_within_a_stage_it_goes_on():
    clock = Clock()
    stages = Stages({"a": 0.5, "b": 0.5}, clock)
    stages.begin("a")
    clock.now = 4.0
    stages.begin("b")
    clock.now = 8.0
    assert stages.fraction() == pytest.approx(0.5 + 0.5 * (1 - np.exp(-1)))
    clock.now = 400.0
    assert stages.now().endswith("left")


def test_a_command_without_shares_says_its_step_alone():
    stages = Stages({})
    assert stages.begin("mining") == "mining"


@pytest.mark.slow_without_jit
def test_every_stage_of_exploring_has_its_share_and_they_come_in_order():
    said = []
    unmix.explore(np.random.default_rng(0).normal(size=(80, 2)), max_k=2, sample=60, progress=said.append)
    places = [list(SHARES["explore"]).index(words) for words in said]
    assert places == sorted(places)
    assert len(places) >= 7
