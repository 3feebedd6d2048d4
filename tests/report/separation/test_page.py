"""The page of separated sources without a browser: escaped, complete in itself, the same every time, small enough."""

import base64
import io
import json
import re

import numpy as np
import pytest
from scipy.io import wavfile

from tests.report.seen import Seen
from unmix.report.policy import digest
from unmix.report.separation import sound
from unmix.report.separation.figures import runs
from unmix.report.separation.page import render, write
from unmix.report.separation.sound import sounds
from unmix.separation import SecondOrderICA
from unmix.separation.recording.document import document
from unmix.separation.recording.signals import Signals

HOSTILE = '</script><img src=x onerror="window.hacked=1">\u2028&amp;'


def separated(n=2000, rate=8000.0, audio=True, names=("left", "right"), gap=False):
    """A document and what `write` takes, of two rhythms in two channels."""
    t = np.arange(n)
    X = np.column_stack([np.sin(t / 3), np.sign(np.sin(t / 17))]) @ np.array([[1.0, 0.4], [0.3, 1.0]])
    if gap:
        X[n // 3 : n // 2, 0] = np.nan
    signals = Signals(X, list(names), rate, None, ("A note.",), audio)
    model = SecondOrderICA(lags=20, missing="ignore").fit(X)
    found = model.transform(X)
    told = {"version": "1", "command": "unmix separate x.wav", "seed": 0, "method": "second_order", "source": "x.wav"}
    tree = document(model, signals, found, np.array([0.99, 0.5]), [], **told)
    return tree, (model, signals, found)


def page_of(tree, parts):
    return render(tree, sounds(parts[1], parts[2]))


def embedded(page):
    return json.loads(re.search(r'id="findings">(.*?)</script>', page, flags=re.DOTALL)[1])


def played(page):
    return [
        wavfile.read(io.BytesIO(base64.b64decode(data)))
        for data in re.findall(r'src="data:audio/wav;base64,([^"]*)"', page)
    ]


def test_every_signal_can_be_heard_as_it_is():
    tree, parts = separated()
    heard = played(page_of(tree, parts))
    assert len(heard) == 4
    for (rate, samples), signal in zip(heard, [*parts[1].values.T, *parts[2].T]):
        assert rate == 8000
        assert np.corrcoef(samples, signal)[0, 1] > 0.9999


def test_long_sound_is_thinned_and_shortened_with_a_note(monkeypatch):
    tree, parts = separated(n=64_000, rate=32_000.0)
    monkeypatch.setattr(sound, "MOST_BYTES", 4 * 2 * 8000)  # a second of all four at 8 kHz
    monkeypatch.setattr(sound, "SHORTEST_SECONDS", 0.5)
    monkeypatch.setattr(sound, "PICTURES", 0)
    page = page_of(tree, parts)
    assert [(rate, len(samples)) for rate, samples in played(page)] == [(8000, 8000)] * 4
    assert "it plays the first 1 of 2 s, 8,000 instead of 32,000 Hz. The wav files beside it are whole." in page


def test_with_too_many_channels_only_sources_are_heard(monkeypatch):
    tree, parts = separated(n=64_000, rate=32_000.0)
    monkeypatch.setattr(sound, "MOST_BYTES", 2 * 2 * 8000 * 2)
    monkeypatch.setattr(sound, "PICTURES", 0)
    page = page_of(tree, parts)
    assert len(played(page)) == 2
    assert "sources only" in page


def test_a_page_of_long_sound_stays_below_five_megabytes():
    tree, (model, signals, found) = separated()
    hours = signals._replace(values=np.tile(signals.values, (1500, 1)), rate=44_100.0)
    page = page_of(tree, (model, hours, np.tile(found, (1500, 1))))
    assert 3e6 < len(page) < 5e6


def test_sound_is_allowed_only_where_there_is_sound():
    assert "media-src data:" in page_of(*separated())
    silent = page_of(*separated(audio=False))
    assert "media-src" not in silent
    assert "<audio" not in silent


def test_hostile_names_stay_text():
    tree, parts = separated(names=(HOSTILE, HOSTILE + "2"))
    tree.update(source=HOSTILE, command=HOSTILE, notes=[HOSTILE], warnings=[HOSTILE])
    page = page_of(tree, parts)
    assert "<img" not in page
    assert "\u2028" not in page.partition('id="findings">')[2]
    seen = Seen(page)
    assert "img" not in seen.tags
    assert "onerror" not in seen.attributes
    assert embedded(page)["channels"][0]["name"] == HOSTILE


def test_nothing_is_fetched_and_only_own_scripts_run():
    page = page_of(*separated())
    seen = Seen(page)
    assert all(address.startswith(("#", "data:")) for address in seen.addresses)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert "style" not in seen.attributes
    for kind in ("script", "style"):
        for block in re.findall(rf"<{kind}>(.*?)</{kind}>", page, flags=re.DOTALL):
            assert digest(block) in page.replace("&#x27;", "'")


def test_links_lead_somewhere_and_tags_close():
    page = page_of(*separated())
    for anchor in set(re.findall(r'href="#([^"]+)"', page)):
        assert f'id="{anchor}"' in page
    body = page.partition("<body>")[2]
    for tag in ("section", "article", "figure", "svg", "path", "ol", "li", "div", "audio", "table", "p"):
        assert len(re.findall(rf"<{tag}[ >]", body)) == body.count(f"</{tag}>"), tag


def test_the_same_separation_gives_the_same_bytes(tmp_path):
    tree, parts = separated()
    assert write(tree, parts, tmp_path / "page.html").read_text("utf-8") == page_of(*separated())
    assert embedded(page_of(tree, parts)) == tree


def test_the_page_says_how_sure_and_how_to_do_it_again():
    page = page_of(*separated())
    for words in (
        "2 sources from 2 channels",
        "1 of 2 are found again",
        "unmix separate x.wav",
        "<dd>0</dd>",
        "8,000 Hz",
    ):
        assert words in page
    tree, parts = separated(rate=None, audio=False)
    for entry in tree["sources"]:
        entry["stability"] = None
    page = page_of(tree, parts)
    assert "too short to say how reliable" in page
    assert "cycles per row" in page


@pytest.mark.parametrize(
    ("values", "found"),
    [([1, 1], [range(2)]), ([None, 1, None, 1], [range(1, 2), range(3, 4)]), ([None], []), ([], [])],
)
def test_gaps_stay_gaps(values, found):
    assert runs(values) == found


def test_a_signal_with_a_gap_and_a_constant_one_are_drawn():
    page = page_of(*separated(audio=False, gap=True))
    assert re.search(r'class="wave cx"', page)
    assert len(re.search(r'd="(M[^"]*)" class="wave cx"', page)[1].split("M")) == 3
    assert "nan" not in page.lower().replace("nanbsp", "")


def test_the_strongest_frequency_is_that_of_the_rhythm():
    tree, _ = separated()
    peaks = sorted(entry["spectrum"]["strongest"] for entry in tree["sources"])
    assert peaks == pytest.approx([8000 / (2 * np.pi * 17), 8000 / (2 * np.pi * 3)], abs=3)
