"""What every test shares: the source tree first on every path, two threads, and the real data beside the project."""

import os
from pathlib import Path

import pytest

root = Path(__file__).parents[1]

# Child processes (command line, Dask workers) must run the tree under test too, not an older installed copy.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(root / "src"), str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
)
# Before numpy is first imported: a test machine is shared, so no library takes more than two threads.
for variable in (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "POLARS_MAX_THREADS",
):
    os.environ.setdefault(variable, "2")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    share_out(items)
    if os.environ.get("NUMBA_DISABLE_JIT", "0") == "0":
        return
    skip = pytest.mark.skip(reason="slow without compiled kernels (NUMBA_DISABLE_JIT is set)")
    for item in items:
        if item.get_closest_marker("slow_without_jit"):
            item.add_marker(skip)


def share_out(items: list[pytest.Item]) -> None:
    """With `-n 2 --dist loadgroup` a file's tests stay together, as they share clusters and fitted models.

    The tests that run for every estimator stand in one long file; there those of one estimator stay together.
    """
    for item in items:
        estimator = getattr(item, "callspec", None) and item.callspec.params.get("estimator")  # type: ignore[attr-defined]
        kind = type(estimator).__name__ if hasattr(estimator, "get_params") else ""
        item.add_marker(pytest.mark.xdist_group(f"{item.path.name} {kind}".strip()))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real data sets with known answers; it lies beside the project and is not shipped with it."""
    path = root / ".." / "shared" / "data"
    if not path.is_dir():
        pytest.skip("the shared data sets (../shared/data beside the project) are not on this machine")
    return path
