"""What the README says can be typed, measured and read in three minutes."""

import json
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from unmix.cli.main import main

root = Path(__file__).parents[1]
TEXT = (root / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMANDS = [line for block in FENCE.findall(TEXT) for line in block.splitlines()]
WORDS_A_MINUTE = 230
NONE_SAID = re.compile(
    r"Of (\d+) tables without groups and with independent rows none was said to hold some, of (\d+) with dependent rows"
    r" none"
)
STORED = json.loads((root / "benchmarks" / "stored" / "front_page.json").read_text(encoding="utf-8"))


def test_it_is_read_in_three_minutes():
    words = re.findall(r"\w[\w'-]*", re.sub(r"\]\([^)]*\)", "]", TEXT))
    assert len(words) / WORDS_A_MINUTE < 3


def test_every_command_is_tried():
    """Those of unmix below, the others by .ci/run."""
    tried = (root / ".ci" / "run").read_text(encoding="utf-8")
    inline = re.findall(r"`((?:pip|pytest)[^`]*)`", TEXT)
    others = [part for line in COMMANDS + inline for part in line.split(" && ") if not part.startswith("unmix ")]
    assert COMMANDS[0] == "pip install ." and len(COMMANDS) == 3
    # `pip install .` with what the tests need is how .ci/run begins.
    assert [part for part in others if part != "pip install ." and part.removeprefix("pip install ") not in tried] == []


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("unmix ")])
def test_a_command_of_unmix_runs(command, tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(root / "examples")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output
    assert [path for path in tmp_path.glob("*/report.html") if path.parent.name != "examples"]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_ratios_are_those_of_the_stored_run(page):
    text = (root / page).read_text(encoding="utf-8")
    shown = re.findall(r"(\d+(?:\.\d+)?) × less CPU", text)
    assert shown and set(shown) <= {one["shown"] for one in STORED["ratios"]}
    assert STORED["date"] in text
    for one in STORED["ratios"]:
        assert one["shown"] == f"{float(one['cpu_ratio']):.0f}" or one["shown"] == f"{float(one['cpu_ratio']):.1f}"


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_number_of_tables_without_groups_is_that_of_the_page_on_verdicts(page):
    verdicts = (root / "docs" / "is_it_real.md").read_text(encoding="utf-8")
    alone, dependent = NONE_SAID.search(verdicts).groups()
    assert f"of {int(alone) + int(dependent)} made tables without groups" in (root / page).read_text(encoding="utf-8")
