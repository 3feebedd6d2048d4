"""Counts, dissimilarities, 0 and 1 and signals are known for what they are; what only looks a bit like them is not."""

import numpy as np
import polars as pl
import pytest
from sklearn import datasets
from sklearn.metrics import adjusted_rand_score, pairwise_distances

import unmix
from unmix.exploration.recognition.form import recognise
from unmix.io.base.errors import TableError

rng = np.random.default_rng(0)


def documents(n, n_words, k, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    topics = rng.dirichlet(np.full(n_words, 0.1), size=k)
    return np.stack([rng.multinomial(40, topics[c]) for c in y]), y


def three_groups(n=90):
    y = np.repeat([0, 1, 2], n // 3)
    return np.eye(3)[y] @ (6 * np.eye(3)) + np.random.default_rng(1).normal(size=(n, 3)), y


def frame(X, names=None):
    return pl.DataFrame({name: X[:, j] for j, name in enumerate(names or [f"c{j}" for j in range(X.shape[1])])})


def waves(n=1500):
    time = np.arange(n) / 100
    clean = np.column_stack([np.sin(20 * time), np.sign(np.sin(15 * time)), 0.5 * np.sin(20 * time + 1)])
    return clean + 0.1 * rng.normal(size=(n, 3))


def sorted_by_group():
    return np.repeat(rng.normal(0, 9, (30, 2)), 50, axis=0) + rng.normal(size=(1500, 2))


FORMS = {
    "counts": lambda: frame(documents(60, 40, 2, 0)[0]),
    "dissimilarities": lambda: frame(pairwise_distances(three_groups()[0])),
    "binary": lambda: frame((rng.random((50, 12)) < 0.2).astype(int)),
    "signals": lambda: frame(waves()),
}
TABLES = {
    "normal": lambda: frame(rng.normal(size=(300, 4))),
    "square by chance": lambda: frame(rng.random((12, 12))),
    "correlations": lambda: frame(np.corrcoef(rng.normal(size=(12, 50)))),
    "few whole numbers": lambda: frame(rng.poisson(0.4, (200, 8))),
    "ratings": lambda: frame(rng.integers(0, 6, (200, 30))),
    "answers of yes and no": lambda: frame((rng.random((50, 12)) < 0.5).astype(int)),
    "rows sorted by group": lambda: frame(
        np.repeat(rng.normal(0, 9, (30, 2)), 50, axis=0) + rng.normal(size=(1500, 2))
    ),
    "random walks": lambda: frame(rng.normal(size=(1500, 3)).cumsum(axis=0)),
    "words": lambda: pl.DataFrame({"a": list("abcd") * 5}),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_are_recognised_with_a_reason(form):
    found = recognise(FORMS[form]())
    assert found.name == form
    assert found.reason


@pytest.mark.parametrize("form", FORMS)
def test_a_plain_table_where_asked(form):
    assert recognise(FORMS[form](), asked="table").name == "table"


@pytest.mark.parametrize("table", TABLES)
def test_tables_stay_tables(table):
    assert recognise(TABLES[table]()).name == "table"


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits", "diabetes", "linnerud"])
def test_well_known_tables_stay_tables(name):
    assert recognise(pl.from_pandas(getattr(datasets, f"load_{name}")(as_frame=True).frame)).name == "table"


def test_names_beside_the_values_do_not_hide_a_form():
    D = frame(pairwise_distances(three_groups()[0])).insert_column(0, pl.Series("name", [f"o{i}" for i in range(90)]))
    assert recognise(D).name == "dissimilarities"


@pytest.mark.parametrize(
    ("asked", "X", "said"),
    [
        ("dissimilarities", np.ones((4, 3)), "square"),
        ("dissimilarities", np.corrcoef(rng.normal(size=(9, 20))), "not below 0|diagonal"),
        ("counts", -np.ones((4, 3)), "below 0"),
        ("binary", np.full((4, 3), 2.0), "0 and 1"),
        ("heaps", np.ones((4, 3)), "expected one of"),
    ],
)
def test_a_form_that_does_not_fit_is_refused_in_words(asked, X, said):
    with pytest.raises(TableError, match=said):
        recognise(frame(X), asked=asked)


@pytest.mark.slow_without_jit
def test_counts_get_full_findings(tmp_path):
    X, y = documents(150, 40, 3, 2)
    found = unmix.explore(frame(X), max_k=5)
    assert found.selection.chosen_k == 3
    assert adjusted_rand_score(y, found.labels) > 0.95
    assert "counts" in found.warnings[0]
    assert type(found.model).__name__ == "HistogramClustering"
    np.testing.assert_array_equal(found.model.predict(X), found.labels)
    assert [cluster.size for cluster in found.clusters] == np.bincount(found.labels).tolist()
    written = found.save(tmp_path / "out")
    assert {path.name for path in written.iterdir()} == {"labels.csv", "findings.json", "model.unmix", "report.html"}
    assert len((written / "labels.csv").read_text().splitlines()) == 151


@pytest.mark.slow_without_jit
def test_rows_that_count_nothing_get_no_cluster():
    X, _ = documents(60, 30, 2, 3)
    X[7] = 0
    found = unmix.explore(frame(X), as_="counts", max_k=3)
    assert found.labels[7] == -1
    assert found.missing.n_rows_dropped == 1
    assert (np.delete(found.labels, 7) >= 0).all()


@pytest.mark.slow_without_jit
def test_dissimilarities_give_the_groups_of_the_points_they_come_from(tmp_path):
    X, y = three_groups()
    found = unmix.explore(frame(pairwise_distances(X)), max_k=5)
    assert found.selection.chosen_k == 3
    assert adjusted_rand_score(y, found.labels) == 1
    assert type(found.model).__name__ == "PairwiseClustering"
    assert len(found.map.x) == 90
    places = np.column_stack([found.map.x, found.map.y])  # of three equal groups, two dimensions hold most
    assert adjusted_rand_score(y, unmix.cluster.KMeans(3, random_state=0).fit(places).labels_) == 1
    assert (found.save(tmp_path / "out") / "report.html").stat().st_size < 2_000_000


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("form", "command"), [("binary", "unmix roles TABLE"), ("signals", "unmix separate TABLE")])
def test_other_forms_are_tables_and_point_to_their_command(form, command):
    table = FORMS[form]()
    found = unmix.explore(table, max_k=2)
    assert any(command in warning for warning in found.warnings)
    assert not any(command in warning for warning in unmix.explore(table, as_="table", max_k=2).warnings)


def test_columns_after_the_third_that_is_no_number_are_not_read(monkeypatch):
    from unmix.exploration.recognition import form

    X, _ = documents(60, 12, 2, 0)
    words = pl.DataFrame({name: ["a", "b", "c"] * 20 for name in ("u", "v", "w")})
    seen = []
    read = form.number_column
    monkeypatch.setattr(form, "number_column", lambda series, *rest: seen.append(series.name) or read(series, *rest))
    assert recognise(pl.concat([words[["u", "v"]], frame(X)], how="horizontal")).name == "counts"
    assert len(seen) == 14
    seen.clear()
    assert recognise(pl.concat([words, frame(X)], how="horizontal")).name == "table"
    assert seen == ["u", "v", "w"]
    with pytest.raises(TableError):
        recognise(words, asked="counts")
