"""How several test processes (`pytest -n 2`) share the tests: file by file, the longest first.

The tests of a file share clusters, browsers and fitted models, which two processes would each have to make. Three long
files share nothing and are divided: those which run for every estimator, and that of the pages of the documentation.
"""

# These begin, so that at the end neither process waits long for the other; neighbours compile different kernels.
LONGEST = (
    "tests/executors/test_cluster.py",
    "tests/report/test_browser.py",
    "tests/report/roles/test_browser.py",
    "tests/validation/agreement/test_criterion.py",
    "tests/executors/test_same_bits.py",
    "tests/roles/noise/test_multi_assignment_clustering.py",
    "tests/validation/selection/test_resume.py",
    "tests/exploration/test_explore.py",
    "tests/executors/test_resume.py",
    "tests/validation/criteria/test_cross_validation.py",
)
DIVIDED = ("tests/shells/test_contract.py", "tests/relations/test_relations.py", "tests/test_docs.py")


def stays_together(nodeid: str) -> str:
    """What tests of one process have in common: the file, in a divided one also the estimator or the page."""
    path, _, test = nodeid.partition("::")
    if path not in DIVIDED:
        return path
    parameters = test.partition("[")[2].rstrip("]")
    return f"{path} {parameters if parameters.endswith('.md') else parameters.partition('-')[0]}"


def turn(nodeid: str) -> int:
    """The place of a test in the queue."""
    path = nodeid.partition("::")[0]
    return LONGEST.index(path) if path in LONGEST else len(LONGEST)
