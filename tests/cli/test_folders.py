"""Folders of results: never those of others, never half, and as they were after Ctrl-C."""

import os
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from unmix.cli.explore import default_directory
from unmix.cli.main import main


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "access.csv").write_text("user,permission\nann,a\nann,b\nbob,b\nbob,c\n")
    rng = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.laplace(size=(400, 2)) @ [[1.0, 0.4], [0.3, 1.0]])
    np.save(tmp_path / "video.npy", rng.random((3, 6, 6)))
    return tmp_path


COMMANDS = {
    "explore": ("explore", "x.npy", "--max-k", 2),
    "roles": ("roles", "access.csv"),
    "separate": ("separate", "x.npy"),
    "background": ("background", "video.npy"),
}
PAGES = {
    "explore": "unmix.report.write",
    "roles": "unmix.report.roles.page.write",
    "separate": "unmix.report.separation.page.write",
    "background": "unmix.images.write_image",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_of_others_is_refused_before_any_work(here, command):
    (here / "out").mkdir()
    (here / "out" / "report.html").write_text("mine")
    result = run(*COMMANDS[command], "-o", "out")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "out holds files that this command did not write" in result.stderr and "--force" in result.stderr
    assert [path.read_text() for path in (here / "out").iterdir()] == ["mine"]


def test_force_writes_into_it_and_leaves_the_rest(here):
    (here / "out").mkdir()
    (here / "out" / "notes.md").write_text("mine")
    assert run(*COMMANDS["roles"], "-o", "out", "--force").exit_code == 0
    assert (here / "out" / "notes.md").read_text() == "mine" and (here / "out" / "roles.json").exists()
    assert run(*COMMANDS["roles"], "-o", "out").exit_code == 0  # results are there by now
    assert (here / "out" / "notes.md").read_text() == "mine"


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_while_writing_leaves_nothing_and_exits_130(here, command, monkeypatch):
    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(PAGES[command], stop)
    before = sorted(here.rglob("*"))
    result = run(*COMMANDS[command], "-o", "deep/out")
    assert result.exit_code == 130 and result.stderr.endswith("unmix: stopped; nothing was written.\n")
    assert sorted(here.rglob("*")) == before


def test_an_interrupt_while_writing_leaves_the_results_of_before(here, monkeypatch):
    assert run(*COMMANDS["roles"], "-o", "out").exit_code == 0
    before = {path.name: path.read_bytes() for path in (here / "out").iterdir()}

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(PAGES["roles"], stop)
    assert run(*COMMANDS["roles"], "-o", "out", "--seed", 3).exit_code == 130
    assert {path.name: path.read_bytes() for path in (here / "out").iterdir()} == before


def test_a_full_disk_gets_one_sentence(here, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(PAGES["roles"], full)
    result = run(*COMMANDS["roles"], "-o", "out")
    assert result.exit_code == 2 and not (here / "out").exists()
    assert result.stderr.endswith("unmix: Results cannot be written to out: No space left on device.\n")


def test_exploring_and_mining_one_table_go_to_two_folders(here):
    assert run(*COMMANDS["roles"]).exit_code == 0
    assert (here / "unmix-roles-access").is_dir() and default_directory("access.csv").name != "unmix-roles-access"


@pytest.mark.slow_without_jit
def test_asked_to_end_a_command_removes_its_temporary_files(here, monkeypatch):
    temporary = here / "temporary"
    temporary.mkdir()
    code = (
        "import os, signal, numpy as np\n"
        "from unmix.cli.terminal.console import user_errors\n"
        "from unmix.io.sources.spool import spool\n"
        "with user_errors():\n"
        "    rows = spool([np.ones((3, 2))], 2, np.float64, None)\n"
        "    print(len(os.listdir(os.environ['TMPDIR'])), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
    )
    environment = {**os.environ, "TMPDIR": str(temporary)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout) == (143, "1\n") and list(temporary.iterdir()) == []
