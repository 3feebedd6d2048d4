"""What a plain run leaves out, and what it does not."""

from pathlib import Path
from types import SimpleNamespace

from tests.forms import BY_SUBJECT, CASES, WHOLE, short_form

root = Path(__file__).parents[1]


def item(nodeid, marks=(), fixtures=()):
    return SimpleNamespace(
        nodeid=nodeid,
        fixturenames=list(fixtures),
        get_closest_marker=lambda name: name if name in marks else None,
    )


def cases(test, *names):
    return [item(f"{test}[{name}]") for name in names]


def test_of_many_cases_the_same_few_run_in_any_order():
    many = cases("tests/core/test_tree.py::test_sums", *range(100))
    few = short_form(many)
    assert len(few) == CASES
    assert short_form(many[::-1]) == few
    assert few <= {found.nodeid for found in many}


def test_few_cases_all_run():
    few = cases("tests/core/test_tree.py::test_sums", *range(CASES))
    assert short_form(few) == {found.nodeid for found in few}


def test_no_test_is_left_out_but_long_ones():
    items = [item("a.py::test_x"), item("a.py::test_y", marks=["long"]), item("a.py::test_z", fixtures=["browser"])]
    assert short_form(items) == {"a.py::test_x"}


def test_long_cases_do_not_take_the_place_of_others():
    long = [item(f"a.py::test_x[{n}]", marks=["long"]) for n in range(100)]
    assert short_form([*long, *cases("a.py::test_x", "short")]) == {"a.py::test_x[short]"}


def test_every_check_of_an_estimator_and_every_page():
    for test in ("tests/shells/test_contract.py::test_scikit_learn_check", "tests/test_docs.py::test_page"):
        assert len(short_form(cases(test, *range(100)))) == 100


def test_every_estimator_has_its_relations():
    names = [f"{subject}-{relation}" for subject in ("PCA", "NMF") for relation in range(50)]
    found = short_form(cases(BY_SUBJECT, *names))
    assert sum("[PCA-" in nodeid for nodeid in found) == sum("[NMF-" in nodeid for nodeid in found) == CASES


def test_what_is_named_is_there():
    for name in (*WHOLE, BY_SUBJECT):
        path, _, test = name.partition("::")
        assert list(root.glob(f"{path}*"))
        assert not test or f"def {test}(" in (root / path).read_text(encoding="utf-8")
