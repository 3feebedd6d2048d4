import json
import subprocess
import sys

import pytest

DEAR = (
    "pandas", "scipy.stats._stats_py", "sklearn.metrics", "rich", "asyncio.events", "numpy.f2py.crackfortran",
    "scipy.optimize._minimize", "scipy.spatial.transform._rotation",
)  # fmt: skip


def loaded_after(statements):
    program = f"import json, sys\n{statements}\nprint(json.dumps([name for name in {DEAR} if name in sys.modules]))"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def test_exploring_loads_neither_pandas_nor_distributions():
    start = "from unmix.cli.terminal.lean_start import load_scikit_learn\nload_scikit_learn()\n"
    assert loaded_after(start + "import unmix.exploration.explore, unmix.report") == []


@pytest.mark.parametrize(
    "rooms", ["unmix.roles, unmix.roles.explanation.document", "unmix.separation.recording.document"]
)
def test_mining_and_separating_load_neither(rooms):
    start = "from unmix.cli.terminal.lean_start import load_scikit_learn\nload_scikit_learn()\n"
    found = loaded_after(start + f"import unmix.report, {rooms}")
    assert set(found) <= {"scipy.optimize._minimize"}  # of integer programs


def test_what_was_put_off_is_there_when_somebody_asks():
    program = (
        "from unmix.cli.terminal.lean_start import load_scikit_learn\n"
        "load_scikit_learn()\n"
        "import scipy.stats as stats\n"
        "assert stats.norm.cdf(0.0) == 0.5\n"
        "import scipy.stats, scipy.stats._stats_py, pandas, sklearn.metrics\n"
        "from scipy.stats import rankdata\n"
        "import asyncio, numpy, numpy.f2py, numpy.f2py.crackfortran, rich\n"
        "assert asyncio.iscoroutine(None) is False and callable(numpy.f2py.get_include)\n"
        "assert sys.modules['scipy.stats'].rankdata is rankdata\n"
        "assert pandas.DataFrame({'a': [1]}).shape == (1, 1)\n"
        "import scipy.optimize, scipy.spatial.transform\n"
        "assert scipy.optimize.brentq(lambda x: x - 2.0, 0.0, 5.0) == 2.0\n"
        "assert scipy.spatial.transform.Rotation.identity().magnitude() == 0.0\n"
    )
    assert loaded_after(program) == list(DEAR)


def test_an_assignment_is_found_without_the_rest_of_its_package_and_is_the_same_with_it():
    program = (
        "from unmix.cli.terminal.lean_start import load_scikit_learn\n"
        "load_scikit_learn()\n"
        "from scipy.optimize import linear_sum_assignment as early\n"
        "assert early([[1, 0], [0, 1]])[1].tolist() == [1, 0] and 'scipy.optimize._minimize' not in sys.modules\n"
        "from scipy.optimize import minimize, linear_sum_assignment as late\n"
        "assert early is late and minimize(lambda x: (x[0] - 1) ** 2, [0.0]).success\n"
    )
    assert "scipy.optimize._minimize" in loaded_after(program)


def test_what_is_loaded_already_stays():
    program = (
        "import scipy.stats, pandas, sklearn.base\n"
        "before = sys.modules['scipy.stats'], sys.modules['pandas']\n"
        "from unmix.cli.terminal.lean_start import load_scikit_learn\n"
        "load_scikit_learn()\n"
        "assert (sys.modules['scipy.stats'], sys.modules['pandas']) == before\n"
    )
    assert "pandas" in loaded_after(program)


def test_only_a_new_process_imports_without_looking_for_garbage():
    program = (
        "import gc\nfrom unmix.cli.terminal.lean_start import importing\n"
        "with importing() as fresh: assert fresh and not gc.isenabled()\n"
        "assert gc.isenabled() and gc.get_freeze_count() > 0\n"
        "import numba\n"  # as where kernels are counted
        "with importing() as fresh: assert not fresh and gc.isenabled()\n"
    )
    assert loaded_after(program) == []
