"""What every test shares: the source tree first on every path, two threads, and the real data beside the project."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.forms import short_form
from tests.sharing import stays_together, turn

root = Path(__file__).parents[1]

# Child processes (command line, Dask workers) must run the tree under test too, not an older installed copy.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(root / "src"), str(root), *filter(None, [os.environ.get("PYTHONPATH")])]
)
# Before numpy is first imported: a test machine is shared, so no library takes more than two threads, and of several
# test processes each takes one, except where a test asks for more.
several = "PYTEST_XDIST_WORKER" in os.environ
for variable in ("NUMBA_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(variable, "2")
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "UNMIX_NUM_THREADS"):
    os.environ.setdefault(variable, "1" if several else "2")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="every case of every test, and relations on larger tables too")
    parser.addoption("--rest", action="store_true", help="with --long: only what a plain run leaves out")


def runs_everything(config: pytest.Config) -> bool:
    """Whether no file or folder was named."""
    return config.args_source is pytest.Config.ArgsSource.TESTPATHS


@pytest.fixture(scope="session")
def long_form(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--long"))


def pytest_configure(config: pytest.Config) -> None:
    # pytest-xdist would begin with the files of most tests, which is not where the time goes.
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two processes for everything; a file or folder is not worth starting them."""
    return 2 if runs_everything(config) else 0


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return stays_together(nodeid)

    return ByFile(config, log)


def is_in_rest(item: Any, short: set[str]) -> bool:
    """Whether a plain run leaves the test out, or runs it in its short form only."""
    return item.nodeid not in short or "long_form" in item.fixturenames


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    rest = config.getoption("--rest")
    if runs_everything(config) and (rest or not config.getoption("--long")):
        short = short_form(items)
        taken = [item for item in items if (is_in_rest(item, short) if rest else item.nodeid in short)]
        chosen = {item.nodeid for item in taken}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
        items[:] = taken
    if hasattr(config, "workerinput"):  # one of several processes
        items.sort(key=lambda item: turn(item.nodeid))
    if os.environ.get("NUMBA_DISABLE_JIT", "0") == "0":
        return
    skip = pytest.mark.skip(reason="slow without compiled kernels (NUMBA_DISABLE_JIT is set)")
    for item in items:
        if item.get_closest_marker("slow_without_jit"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real data sets with known answers; it lies beside the project and is not shipped with it."""
    path = root / ".." / "shared" / "data"
    if not path.is_dir():
        pytest.skip("the shared data sets (../shared/data beside the project) are not on this machine")
    return path
