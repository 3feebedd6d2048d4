"""Which tests a plain `pytest` runs, and which only `pytest --long`, or a run of their own file, adds.

The short form keeps what nobody may break: some cases of every test, scikit-learn's checks of every estimator, pages.
Long are the tests marked so, those that need a browser or data beside the project, and the many cases of a test beyond
a few: which ones is a matter of their names alone, so that every process and every run takes the same.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol
from zlib import crc32

CASES = 2  # of a test with more parameters than that
NEEDS = frozenset({"browser", "shared_data"})  # fixtures that not every machine can offer
# Every case of these runs.
WHOLE = ("tests/test_", "tests/shells/test_contract.py::test_scikit_learn_check")
# The cases of these are counted for each estimator.
BY_SUBJECT = "tests/relations/test_relations.py::test_relation"


class Test(Protocol):
    nodeid: str
    fixturenames: list[str]

    def get_closest_marker(self, name: str) -> object: ...


def is_long(item: Test) -> bool:
    return item.get_closest_marker("long") is not None or not NEEDS.isdisjoint(getattr(item, "fixturenames", ()))


def function_of(nodeid: str) -> str:
    """Whose cases are counted together: the test, of a relation the test with its subject."""
    function, _, parameters = nodeid.partition("[")
    return f"{function} {parameters.partition('-')[0]}" if function == BY_SUBJECT else function


def short_form(items: Iterable[Test]) -> set[str]:
    """The tests that a plain run takes."""
    cases = defaultdict(list)
    for item in items:
        if not is_long(item):
            cases[function_of(item.nodeid)].append(item.nodeid)
    return {
        nodeid
        for function, found in cases.items()
        for nodeid in (found if function.startswith(WHOLE) else sorted(found, key=spread)[:CASES])
    }


def spread(nodeid: str) -> int:
    """An order that mixes the parameters."""
    return crc32(nodeid.encode())
