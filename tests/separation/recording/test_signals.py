"""Reading signals and describing them: clocks, formats of sound, envelopes, spectra, sources that come back."""

import warnings

import numpy as np
import pytest
from scipy.io import wavfile

from unmix.io.readers.wave import wave_bytes
from unmix.separation import FastICA, SecondOrderICA
from unmix.separation.recording.describe import describe, envelope
from unmix.separation.recording.read_signals import read_signals
from unmix.separation.recording.recurrence import recurrence
from unmix.separation.recording.time_column import read_clock, unit

STEPS = np.arange(50.0)


@pytest.mark.parametrize(
    ("name", "values", "rate"),
    [
        ("t", STEPS / 250, 250),
        ("Time [ms]", STEPS * 2, 500),
        ("time_us", STEPS * 100, 10_000),
        ("timestamp", 1e9 + STEPS, 1),
        ("seconds", np.round(STEPS / 256, 4), 256),  # printed with too few digits for equal steps
        ("time (min)", STEPS * 0.5, 1 / 30),
    ],
)
def test_a_clock_is_recognised_wherever_it_stands(name, values, rate):
    assert read_clock(name, values, leading=False).rate == pytest.approx(rate, rel=3e-3)


@pytest.mark.parametrize(
    ("name", "values", "leading", "left_out"),
    [
        ("", STEPS, True, True),
        ("sample", STEPS, True, True),
        ("pressure", STEPS, False, False),  # a ramp may be a signal
        ("pressure", STEPS, True, True),
        ("pressure", STEPS**2, True, False),
        ("time", STEPS**2, False, True),  # uneven, but a clock
        ("time", STEPS % 7, False, False),
        ("t", np.full(50, 3.0), True, False),
        ("tension", STEPS / 7, False, False),
    ],
)
def test_what_is_no_clock_stays_a_channel(name, values, leading, left_out):
    clock = read_clock(name, values, leading)
    assert (clock is not None) == left_out
    assert clock is None or clock.rate is None


def test_units():
    assert unit("elapsed_s") == ("elapsed", 1.0)
    assert unit("hours")[1] == 3600
    assert unit("t / µs") == ("t", 1e-6)


@pytest.mark.parametrize("kind", [np.uint8, np.int16, np.int32, np.float32])
def test_every_format_of_sound_lies_between_minus_one_and_one(tmp_path, kind):
    wanted = np.column_stack([np.sin(np.arange(400) / 9), np.cos(np.arange(400) / 5)]) * 0.9
    if kind == np.uint8:
        stored = np.round(wanted * 127 + 128).astype(kind)
    else:
        stored = wanted.astype(kind) if kind == np.float32 else np.round(wanted * np.iinfo(kind).max).astype(kind)
    wavfile.write(tmp_path / "two.wav", 22050, stored)
    read = read_signals([str(tmp_path / "two.wav")])
    assert (read.rate, read.names, read.audio) == (22050, ["two 1", "two 2"], True)
    assert np.abs(read.values - wanted).max() < (0.012 if kind == np.uint8 else 1e-4)


def test_silence_stays_silent():
    assert not np.frombuffer(wave_bytes(np.zeros(8), 8000)[44:], np.int16).any()


def test_several_tables_side_by_side(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(
            "time;left;right\n" + "".join(f"{i},5;{i % 3},25;{i % 5}\n" for i in range(9))
        )
    read = read_signals([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")])
    assert read.names == ["a left", "a right", "b left", "b right"]
    assert read.rate == 1
    assert read.values[2].tolist() == [2.25, 2, 2.25, 2]


def test_times_as_text_are_left_out(tmp_path):
    (tmp_path / "x.csv").write_text(
        "time,a,b\n" + "".join(f"2024-01-01 00:00:{i:02d},{i % 3}.5,{i % 5}\n" for i in range(20))
    )
    read = read_signals([str(tmp_path / "x.csv")], rate=1.0)
    assert (read.names, read.rate) == (["a", "b"], 1.0)
    assert "holds times as text" in read.notes[-1]


def test_no_peak_is_lost_in_the_envelope():
    x = np.zeros(100_000)
    x[54_321] = 7
    x[7] = np.nan
    found = envelope(x)
    assert len(found["high"]) == 600
    assert max(found["high"]) == 7
    assert found["high"].index(7.0) == 54_321 * 600 // 100_000
    assert envelope(np.array([1.0, np.nan, 2.0]))["low"] == [1.0, None, 2.0]


def test_numbers_of_known_signals():
    t = np.arange(20_000) / 1000
    sine = describe(np.sin(2 * np.pi * 50 * t), 1000.0)
    assert sine["kurtosis"] == pytest.approx(-1.5, abs=1e-3)
    assert sine["spectrum"]["strongest"] == pytest.approx(50, abs=0.02)
    assert sine["deviation"] == pytest.approx(0.5**0.5, rel=1e-3)
    assert describe(np.sin(2 * np.pi * 50 * t), None)["spectrum"]["strongest"] == pytest.approx(0.05, abs=2e-5)
    laplace = describe(np.random.default_rng(0).laplace(size=200_000), None)
    assert laplace["kurtosis"] == pytest.approx(3, abs=0.3)
    density = np.array(laplace["histogram"]["density"])
    # p(0) of a Laplace law of variance 1 is 1/√2, a little less as a mean over a bin
    assert density[20] == pytest.approx((1 - np.exp(-(2**0.5) * 4 / 41)) / (8 / 41), rel=0.02)
    assert density.sum() * 8 / 41 + laplace["histogram"]["beyond"] == pytest.approx(1, abs=1e-3)


def test_constant_and_short_signals_have_numbers():
    assert describe(np.full(30, 2.0), 10.0)["kurtosis"] is None
    assert describe(np.array([1.0, 2.0, 4.0]), None)["spectrum"] is None


@pytest.mark.slow_without_jit
def test_sources_that_are_there_come_back_and_gaussian_ones_do_not():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.laplace(size=(4000, 2)), rng.normal(size=(4000, 2))]) @ rng.normal(size=(4, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that two are Gaussian, and cannot settle
        model = FastICA(random_state=0).fit(X)
    peaked = np.abs((model.transform(X) ** 4).mean(axis=0) - 3) > 1
    again = recurrence(model, X)
    assert peaked.sum() == 2
    assert again[peaked].min() > 0.98
    assert again[~peaked].max() < 0.95
    assert np.isnan(recurrence(model, X[:50])).all()


def test_long_recordings_are_judged_by_pieces(monkeypatch):
    monkeypatch.setattr("unmix.separation.recording.recurrence.MOST_ROWS", 2000)
    t = np.arange(9000)
    X = np.column_stack([np.sin(t / 3), np.sin(t / 11)]) @ np.array([[1.0, 0.4], [0.3, 1.0]])
    assert recurrence(SecondOrderICA(lags=5).fit(X), X).min() > 0.97
