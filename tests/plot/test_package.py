"""The package as a whole: quick to import, clear without matplotlib, colours that keep apart, dark and light."""

import json
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pytest

import unmix.plot
from unmix.plot import BandwidthDisplay, KMeansDisplay, SpectrumDisplay
from unmix.plot.style import DARK, LIGHT, is_dark, palette


def run(program):
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return answer.stdout.strip()


def test_import_loads_nothing_heavy():
    listing = run("import json, sys, unmix.plot\ndir(unmix.plot)\nprint(json.dumps(sorted(sys.modules)))")
    assert not {"matplotlib", "sklearn", "scipy", "numba", "numpy"} & set(json.loads(listing))


def test_without_matplotlib_one_sentence_says_what_to_do():
    program = (
        "import sys\nsys.modules['matplotlib'] = sys.modules['matplotlib.pyplot'] = None\n"
        "from unmix.plot import SpectrumDisplay\ndisplay = SpectrumDisplay([0.5, 0.5])\n"
        "try:\n    display.plot()\nexcept ImportError as error:\n    print(error)"
    )
    assert run(program) == "figures need matplotlib, which is not installed; pip install unmix[plot]"


def test_every_name_is_there_and_no_other():
    for name in unmix.plot.__all__:
        assert getattr(unmix.plot, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'PieDisplay'"):
        unmix.plot.PieDisplay  # noqa: B018


@pytest.mark.parametrize("name", sorted(set(unmix.plot.__all__) - {"SelectionDisplay"}))
def test_displays_share_their_shape(name):
    display = getattr(unmix.plot, name)
    assert callable(display.from_estimator) and callable(display.plot)
    words = display.__doc__
    assert "ax_, figure_" in words and "Examples" in words


def test_a_dark_style_gets_the_bright_colours():
    X, labels = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20) % 2
    with plt.style.context("dark_background"):
        display = KMeansDisplay.from_predictions(X, labels)
        assert is_dark(display.ax_) and palette(display.ax_, 13) == [*DARK, DARK[0]]
    assert palette(KMeansDisplay.from_predictions(X, labels).ax_, 12) == list(LIGHT)
    _, ax = plt.subplots(facecolor="black")
    ax.set_facecolor("none")
    assert is_dark(ax)


def linear(color):
    values = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


@pytest.mark.parametrize("colors, background", [(LIGHT, "#ffffff"), (DARK, "#191c21")])
def test_colours_stand_out_from_the_background(colors, background):
    """Contrast of at least 3 to 1, as the guidelines of the web ask of graphics."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    ground = weights @ linear(background) + 0.05
    for color in colors:
        mark = weights @ linear(color) + 0.05
        assert max(mark, ground) / min(mark, ground) >= 3


# Viénot, Brettel & Mollon (1999): what is left of linear red, green and blue to eyes that lack one kind of cone.
DEFICIENT = {
    "protanope": [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]],
    "deuteranope": [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]],
}


def lab(rgb):
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(np.maximum(to_xyz @ rgb / [0.9505, 1.0, 1.089], 1e-6))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("colors", [LIGHT, DARK])
@pytest.mark.parametrize("eyes", sorted(DEFICIENT))
def test_the_first_six_colours_stay_apart_for_colour_blind_eyes(colors, eyes):
    seen = [lab(np.array(DEFICIENT[eyes]) @ linear(color)) for color in colors[:6]]
    apart = [np.linalg.norm(a - b) for i, a in enumerate(seen) for b in seen[:i]]
    assert min(apart) > 10  # units of CIELAB; about 2 can just be seen


def test_arguments_go_through_to_the_artist():
    assert BandwidthDisplay([1, 2], [0, 1]).plot(color="red").line_.get_color() == "red"
    assert SpectrumDisplay([0.6, 0.4]).plot(width=0.5).bars_[0].get_width() == 0.5


def test_axes_given_open_no_other_figure():
    _, ax = plt.subplots()
    SpectrumDisplay([0.6, 0.4]).plot(ax)
    KMeansDisplay.from_predictions([[0.0, 1.0], [1.0, 0.0]], [0, 1], ax=ax)
    assert len(plt.get_fignums()) == 1
