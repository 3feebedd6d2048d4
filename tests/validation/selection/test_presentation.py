"""How a selection shows itself: data frames, HTML, pictures."""

import pickle
import sys
from html.parser import HTMLParser

import numpy as np
import pytest
from sklearn.cluster import KMeans

from unmix.datasets import blobs
from unmix.validation import BIC, Evaluation, Score, Selection, Stability, select


@pytest.fixture(scope="module")
def found():
    X = blobs(90, 2, 3, random_state=0)[0]
    return select(KMeans(n_init=1), X, [1, 2, 3, 4], [Stability(n_resamples=3), BIC()], random_state=0)


def made(params, name="BIC", **more):
    scores = [Score(float(i), 0.01) for i in range(len(params) - 1)] + [Score(float("nan"))]
    return Selection(
        params, [KMeans(2)] * len(params), {name: Evaluation(scores, 0)}, 1, "A <b> & c.", {name: True}, **more
    )


class Cells(HTMLParser):
    """The texts of a page by tag, and a check that tags close in order."""

    def __init__(self, page):
        super().__init__()
        self.open, self.rows, self.classes = [], [], []
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        if tag != "br":
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
        self.classes.append((tag, dict(attributes).get("class")))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"th", "td"} & set(self.open):
            self.rows[-1][-1] += data


def test_frames_hold_the_table(found):
    polars, pandas = found.to_frame(), found.to_frame("pandas")
    assert polars.columns == list(pandas.columns) == ["n_clusters", "criterion", "value", "error", "chosen"]
    assert polars.shape == pandas.shape == (8, 5)
    assert polars["value"].to_list()[4:] == pandas["value"].tolist()[4:] == [row["value"] for row in found.table[4:]]
    assert polars.filter(polars["chosen"])["n_clusters"].to_list() == [3, 3]
    mixed = made([{"a": 1, "b": "x"}, {"a": None, "b": 2.5}, {}]).to_frame("pandas")
    assert list(mixed.columns)[:2] == ["a", "b"] and len(mixed) == 3
    assert made([{"a": 1, "b": "x"}, {"a": None, "b": "y"}, {}]).to_frame().shape == (3, 6)
    with pytest.raises(ValueError, match="'polars' or 'pandas'"):
        found.to_frame("numpy")


def test_html_is_a_table_of_grid_points_by_criteria(found):
    page = found._repr_html_()
    cells = Cells(page)
    assert [row[0] for row in cells.rows] == ["n_clusters", "1", "2", "3", "4"]
    assert cells.rows[1][1] == "–" and cells.rows[3][2].startswith(f"{found.table[6]['value']:,.0f}")
    assert cells.classes.count(("td", "choice")) == 2 and cells.classes.count(("tr", "best")) == 1
    assert found.verdict in page and "<script" not in page and "http" not in page


def test_what_users_write_is_escaped():
    page = made([{"n<i>": "<u>"}, {"n<i>": "&"}], name="<script>", notes=["<hr>"])._repr_html_()
    for text in ("<script>", "<u>", "<i>", "<hr>", "A <b>"):
        assert text not in page
    assert Cells(page).rows[1][0] == "<u>"


def test_settings_are_named_by_what_differs():
    page = Cells(made([{"a": 1, "b": "x", "c": 0}, {"a": 2, "b": "x", "c": 5}, {}])._repr_html_())
    assert [row[0] for row in page.rows] == ["settings", "a=1, c=0", "a=2, c=5", "one cluster"]


def test_digits_follow_the_errors():
    page = made([{"k": 1}, {"k": 2}, {"k": 3}])._repr_html_()
    assert [row[1] for row in Cells(page).rows[1:]] == ["0.000 ± 0.010", "1.000 ± 0.010", "–"]


def test_pictures(found):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    display = found.plot()
    assert len(display.axes_) == 2 and display.ax_ is display.axes_[0] and display.ax_.figure is display.figure_
    line = display.axes_[1].containers[0][0]
    assert np.array_equal(line.get_ydata(), [row["value"] for row in found.table[4:]])
    marked = next(line for line in display.axes_[1].lines if line.get_label() == "choice")
    assert marked.get_xdata() == [2] and marked.get_ydata() == [found.table[6]["value"]]
    figure, own = plt.subplots(1, 2)
    assert found.plot(axes=own).figure_ is figure
    with pytest.raises(ValueError, match="one for each of the 2 criteria"):
        found.plot(axes=own[0])
    many = made([{"k": i} for i in range(40)]).plot()
    assert len(many.ax_.get_xticks()) <= 16
    long = made([{"kernel": "a very long name"}, {"kernel": "another"}, {}]).plot()
    assert "place in params" in long.ax_.get_xlabel()
    for number in plt.get_fignums():
        plt.figure(number).canvas.draw()
    plt.close("all")


def test_without_matplotlib_a_sentence_says_what_to_do(found, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"pip install unmix\[plot\]"):
        found.plot()


def test_settings_named_like_a_column_keep_their_values():
    rows = made([{"criterion": "mean", "k": 1}, {"criterion": "cluster", "k": 2}])
    assert [row["param_criterion"] for row in rows.table] == ["mean", "cluster"]
    assert [row["criterion"] for row in rows.table] == ["BIC", "BIC"]
    for library in ("polars", "pandas"):
        assert list(rows.to_frame(library).columns)[:2] == ["param_criterion", "k"]


def test_values_without_bound_are_shown():
    scores = [Score(float("nan")), Score(float("inf")), Score(float("-inf")), Score(2.0, 0.5)]
    params = [{"n_clusters": k} for k in (1, 2, 3, 4)]
    endless = Selection(params, [KMeans(2)] * 4, {"CH": Evaluation(scores, 1)}, 1, "So.", {"CH": True})
    assert [row[1] for row in Cells(endless._repr_html_()).rows[1:]] == ["–", "∞", "−∞", "2.00 ± 0.50"]
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    drawn = endless.plot()
    assert drawn.ax_.get_xlabel() == "n_clusters"
    drawn.figure_.canvas.draw()
    import matplotlib.pyplot as plt

    plt.close(drawn.figure_)


def test_a_selection_survives_pickling(found):
    again = pickle.loads(pickle.dumps(found))
    assert str(again) == str(found) and str(again.table) == str(found.table)
    assert np.array_equal(again.best_estimator.labels_, found.best_estimator.labels_)
    assert len(repr(found)) < 500


def test_the_table_holds_plain_numbers_whatever_a_criterion_returns():
    scores = [Score(np.float32(1.5), np.float64(0.5)), Score(2)]
    found = Selection([{"k": 1}, {"k": 2}], [KMeans(2)] * 2, {"a": Evaluation(scores, 1)}, 1, "So.", {"a": True})
    assert {type(row[name]) for row in found.table for name in ("value", "error")} == {float}
    assert "np." not in str(found.table)
