"""`unmix warm`: its list holds every public estimator, what compiles is counted, and what fails is named."""

import inspect
import json
import os
import subprocess
import sys
from importlib import import_module

import numba
import numpy as np
import pytest
from click.testing import CliRunner

from unmix.cli import first_uses
from unmix.cli.first_uses import COMMANDS, ESTIMATORS, OTHER_TABLES, TABLES, every_use, make, names
from unmix.cli.main import main
from unmix.cli.warm import Warmed, chosen, run, warm_up

FAMILIES = ("cluster", "decomposition", "density", "embedding", "roles", "sampling", "separation", "validation")


def public_estimators() -> set[str]:
    found = set()
    for family in FAMILIES:
        module = import_module(f"unmix.{family}")
        classes = ((name, getattr(module, name)) for name in module.__all__)
        found |= {f"{family}.{name}" for name, kind in classes if inspect.isclass(kind) and hasattr(kind, "fit")}
    return found


def test_every_public_estimator_is_warmed():
    assert set(ESTIMATORS) == public_estimators()


def test_every_command_that_computes_is_warmed():
    after = {"assign", "compare", "studio", "select"}  # use what exploring or the function of this name compiles
    assert set(COMMANDS) | {"warm"} | after == set(main.commands)
    assert all(line.split()[0] == name for name, lines in COMMANDS.items() for line in lines)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_line_of_the_list_can_be_made(name):
    table, options = ESTIMATORS[name]
    for kind, given in (*((table, given) for given in options), *OTHER_TABLES.get(name, ())):
        assert kind in TABLES
        model = make(name, given)
        assert "random_state" not in model.get_params() or model.random_state == 0


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_the_same_each_time(name):
    np.testing.assert_array_equal(TABLES[name](90), TABLES[name](90))


def test_a_family_stands_for_its_estimators_and_a_wrong_name_is_refused():
    assert chosen("embedding, explore") == ["explore", *(name for name in names() if name.startswith("embedding."))]
    assert chosen("cluster.KMeans") == ["cluster.KMeans"]
    result = CliRunner().invoke(main, ["warm", "--only", "clutser"])
    assert result.exit_code == 2
    assert "'clutser' is none of background, chains, cluster," in result.output


def test_what_fails_is_named_and_the_others_are_warmed(monkeypatch):
    monkeypatch.setitem(first_uses.ESTIMATORS, "validation.Constant", ("groups", ({"no_such": 1},)))
    result = CliRunner().invoke(main, ["warm", "--only", "validation", "--jobs", "1"])
    assert result.exit_code == 1
    assert "validation.Constant could not be run: TypeError" in result.stderr
    assert "validation.OneCluster: 0 kernels" in result.stderr
    assert "Compiled 0 kernels" in result.stdout


def test_without_a_place_for_kernels_nothing_is_begun(monkeypatch):
    monkeypatch.setattr("unmix.core.compiled.kernel_cache.cache_folder", lambda: None)
    result = CliRunner().invoke(main, ["warm"])
    assert result.exit_code == 2
    assert "set NUMBA_CACHE_DIR" in result.stderr


def test_two_processes_do_what_one_does():
    chosen_names = ["validation.Constant", "validation.OneCluster"]
    assert sorted(run(chosen_names, 2), key=lambda result: result.name) == [Warmed(name, 0) for name in chosen_names]


def test_warming_uses_the_forms_in_which_tables_come(monkeypatch):
    seen = []
    monkeypatch.setattr(first_uses, "use", lambda model, X: seen.append(X))
    every_use("cluster.KMeans")
    dense = [X for X in seen if isinstance(X, np.ndarray)]
    assert {(len(X), X.dtype.name) for X in dense} == {(n, f"float{bits}") for n in (300, 6000) for bits in (32, 64)}
    assert {X.flags.c_contiguous for X in dense} == {X.flags.writeable for X in dense} == {True, False}
    assert {X.dtype.name for X in seen if not isinstance(X, np.ndarray)} == {"float32", "float64"}
    seen.clear()
    every_use("roles.SVDDenoiser")
    assert {len(X) for X in seen if isinstance(X, np.ndarray)} == {300}  # no larger table of this kind


def test_warming_takes_the_other_tables_too(monkeypatch):
    seen = []
    monkeypatch.setattr(first_uses, "use", lambda model, X: seen.append(bool(np.isnan(X.sum()))))
    every_use("density.GaussianMixture")
    assert set(seen) == {False, True}
    assert set(OTHER_TABLES) <= set(ESTIMATORS)


def test_a_first_use_is_the_first_line_of_a_command(monkeypatch):
    ran = []
    monkeypatch.setattr(first_uses, "run_command", lambda lines: ran.append(lines))
    first_uses.first_use("explore")
    every_use("explore")
    assert ran == [COMMANDS["explore"][:1], COMMANDS["explore"]] and len(ran[1]) > 1


def test_functions_are_run_by_their_names(monkeypatch):
    ran = []
    monkeypatch.setitem(first_uses.FUNCTIONS, "chains", lambda: ran.append("chains"))
    assert warm_up("chains") == Warmed("chains", 0)
    assert ran == ["chains"]
    assert chosen("ising") == ["ising"]


def test_every_method_and_weights_are_used():
    calls = []

    class Model:
        def fit(self, X, sample_weight=None):
            calls.append("fit" if sample_weight is None else "weighted fit")

        def predict(self, X):
            calls.append("predict")

    first_uses.use(Model(), np.ones((3, 2)))
    assert calls == ["fit", "predict", "weighted fit"]


def test_kernels_that_compile_are_counted(monkeypatch):
    from unmix.core.compiled.compiling import tell_compiling

    monkeypatch.setattr(first_uses, "every_use", lambda name: tell_compiling("some kernel"))
    assert warm_up("anything") == Warmed("anything", 1)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing compiles (NUMBA_DISABLE_JIT is set)")
def test_first_uses_need_no_more_kernels_than_they_are_known_to(long_form):
    """Compiling is what a newcomer waits for: a use that needs more kernels must be worth it."""
    from benchmarks.startup.count import stored

    known = json.loads(stored.read_text())
    few = ["cluster.KMeans", "decomposition.PCA", "density.GaussianMixture"]
    command = [sys.executable, "-m", "benchmarks.startup.count", *([] if long_form else few)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ)
    more = {name: count for name, count in json.loads(done.stdout).items() if count > known.get(name, 0)}
    assert not more, f"more kernels than in {stored.name}; if it must be: python -m benchmarks.startup.count --write"
