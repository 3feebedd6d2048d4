"""Which tests one of several processes takes together."""

from pathlib import Path

from tests.sharing import DIVIDED, LONGEST, stays_together, turn

root = Path(__file__).parents[1]


def test_the_files_named_are_there():
    assert [path for path in (*LONGEST, *DIVIDED) if not (root / path).is_file()] == []


def test_a_file_stays_together_and_a_divided_one_by_what_it_is_about():
    assert stays_together("tests/core/test_tree.py::test_sums[3-4]") == "tests/core/test_tree.py"
    assert stays_together("src/unmix/loader.py::unmix.loader.load") == "src/unmix/loader.py"
    contract = "tests/shells/test_contract.py"
    assert stays_together(f"{contract}::test_scikit_learn_check[PCA-check_dtypes]") == f"{contract} PCA"
    assert stays_together(f"{contract}::test_single_precision_is_kept[PCA]") == f"{contract} PCA"
    page = "docs/methods/self-organizing.md"
    assert stays_together(f"tests/test_docs.py::test_examples_on_the_page_run[{page}]") == f"tests/test_docs.py {page}"


def test_the_longest_come_first_in_their_order():
    longest = [f"{path}::test" for path in LONGEST]
    assert sorted(["tests/core/test_tree.py::test", *reversed(longest)], key=turn)[:-1] == longest
