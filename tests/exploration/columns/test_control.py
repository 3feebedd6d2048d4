import numpy as np
import polars as pl
import pytest

import unmix
from unmix.exploration.columns.control import make_control
from unmix.exploration.columns.preparation import prepare
from unmix.io.base.errors import TableError

rng = np.random.default_rng(0)
n = 60
FRAME = pl.DataFrame(
    {
        "height": rng.normal(size=n), "weight": rng.normal(size=n), "zip": rng.integers(100, 110, n),
        "color": rng.choice(["red", "blue"], n).tolist(), "day": np.arange(n) % 30 + 1, "nr": np.arange(n),
        "name": [f"p{i}" for i in range(n)], "answer": rng.integers(0, 3, n), "big number": rng.integers(100, 900, n),
    }
)  # fmt: skip


def prepared(**options):
    return prepare(FRAME, 0, control=make_control(**options))


def used(**options):
    return [column.name for column in prepared(**options).columns if column.used]


def column(name, **options):
    return next(column for column in prepared(**options).columns if column.name == name)


def test_use_names_the_columns_that_form_clusters():
    assert used(use=["weight", "color"]) == ["weight", "color"]
    assert used(use="height") == ["height"]
    assert used(use=["nr", "height"]) == ["height", "nr"]  # also what would be set aside
    assert used(use=["day"]) == ["day"]


def test_drop_leaves_out_and_describe_keeps_aside():
    assert {"height", "weight"} <= set(used()) and "height" not in used(drop="height")
    dropped, described = column("height", drop="height"), column("height", describe=["height"])
    assert (dropped.used, dropped.describes, described.used, described.describes) == (False, False, False, True)


@pytest.mark.parametrize(
    ("name", "kind", "form"),
    [
        ("zip", "category", "category"), ("zip", "code", "category"), ("zip", "number", "numeric"),
        ("nr", "count", "numeric"), ("height", "id", "id"), ("height", "derived", "numeric"),
        ("day", "number", "numeric"), ("name", "text", "text"),
        ("color", "boolean", "boolean"), ("answer", "target", "numeric"), ("height", "date", "date"),
        ("day", "counter", "id"), ("answer", "ordered", "numeric"),
    ],
)  # fmt: skip
def test_type_decides_over_the_values(name, kind, form):
    found = column(name, type={name: kind})
    assert (found.kind, found.form) == ("numeric" if kind == "number" else kind, form)
    assert "as asked" in found.reason


def test_target_id_group_and_order_form_no_clusters():
    for option in ("target", "id", "group", "order"):
        assert "big number" in used() and "big number" not in used(**{option: "big number"})
    assert column("answer", target="answer").kind == "target"
    found = prepared(group="zip", order="nr")
    assert found.group.equals(FRAME["zip"]) and found.order.equals(FRAME["nr"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"drop": "heigth"}, "drop: there is no column 'heigth'; did you mean 'height'"),
        ({"use": ["Weight"]}, "did you mean 'weight'"),
        ({"order": "xyzzy"}, "the columns are 'height'"),
        ({"type": {"zip": "categry"}}, "did you mean 'category'"),
        ({"type": {"color": "number"}}, "'color' cannot be read as numbers .it holds"),
        ({"type": {"zip": "boolean"}}, "a boolean has two"),
        ({"use": "height", "drop": "height"}, "given to both use and drop"),
        ({"use": "name"}, "60 levels, too many"),
        ({"use": 3}, "use is 3; the name of a column"),
    ],
)
def test_what_cannot_be_meant_is_said(options, words):
    with pytest.raises(TableError, match=words):
        prepared(**options)


@pytest.mark.slow_without_jit
def test_explore_takes_the_same_words():
    findings = unmix.explore(FRAME, use=["height", "weight"], k=3, id="name", max_k=2, sample=50)
    assert findings.selection.chosen_k == 3 and len(findings.clusters) == 3
    assert findings.selection.verdict.startswith("3 clusters, as asked. The table by itself: no cluster structure")
    assert findings.ids.to_list() == FRAME["name"].to_list()
    assert len(findings.labels) == n and "50 of 60 rows" in " ".join(findings.caveats)
    assert "use=['height', 'weight']" in findings.command and "k=3" in findings.command


@pytest.mark.parametrize(
    ("options", "words"), [({"k": 0}, "k is 0"), ({"k": 61}, "has 60 rows"), ({"sample": 1}, "sample")]
)
def test_impossible_numbers_are_refused(options, words):
    with pytest.raises(TableError, match=words):
        unmix.explore(FRAME, **options)
