"""Commands on pages can be typed: unmix knows their words, modules and scripts exist, and output shown is theirs."""

import importlib.util
import re
import shlex
from pathlib import Path

import click
import polars
import pytest
from click.testing import CliRunner

from unmix.cli.main import main

root = Path(__file__).parents[1]
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHOWN = re.compile(r"^```bash\n([^`]*)^```\n\n```text\n([^`]*)^```", re.MULTILINE)
PAGES = [
    *root.glob("*.md"),
    *(root / "docs").rglob("*.md"),
    *(root / "examples").glob("*.md"),
    root / "benchmarks/README.md",
]


def lines(page):
    """Commands of a page, one by one, without what a comment says of them."""
    blocks = FENCE.findall(page.read_text(encoding="utf-8"))
    typed = [line for tongue, block in blocks if tongue in {"", "bash", "sh"} for line in block.splitlines() if line]
    parts = [shlex.split(line, comments=True) for line in typed]
    for part in parts:
        while "&&" in part:
            yield part[: part.index("&&")]
            part = part[part.index("&&") + 1 :]
        yield part


COMMANDS = sorted({(str(page.relative_to(root)), *line) for page in PAGES for line in lines(page)})


def understood(words):
    """Parse the words of one command as click does, files not being looked for; an unknown word raises."""
    command, context = main, click.Context(main)
    while isinstance(command, click.Group):
        _, command, words = command.resolve_command(context, words)
        context = click.Context(command, parent=context)
    values, rest, _ = command.make_parser(context).parse_args(list(words))
    assert rest == []
    for parameter in command.params:
        if isinstance(parameter.type, click.Choice) and values.get(parameter.name) is not None:
            given = values[parameter.name]
            for value in given if parameter.multiple else [given]:
                parameter.type.convert(value, parameter, context)


@pytest.mark.parametrize("command", [line for line in COMMANDS if line[1] == "unmix"], ids=" ".join)
def test_a_command_of_unmix_is_understood(command):
    understood(list(command[2:]))


@pytest.mark.parametrize("wrong", ["explor a.csv", "explore a.csv --no-such", "roles a.csv --problem covr"])
def test_a_stale_command_is_seen(wrong):
    with pytest.raises(click.UsageError):
        understood(wrong.split())


@pytest.mark.parametrize("command", [line for line in COMMANDS if line[1] != "unmix"], ids=" ".join)
def test_other_commands_name_what_exists(command):
    tool, *words = command[1:]
    if tool == "python" and words[0] == "-m":
        assert words[1] == "venv" or importlib.util.find_spec(words[1])
    elif tool == "python" or tool.startswith(".ci/"):
        assert (root / (words[0] if tool == "python" else tool)).is_file()
    elif tool == "pytest":
        assert all((root / word).exists() for word in words if not word.startswith("-"))
    else:
        assert tool in {"pip", "ruff", "mypy", "lint-imports", "mkdocs", "."}


def april(march):
    """Two people have left, one has come, and two have a permission more."""
    user = polars.col("user")
    stay = march.filter(~user.is_in(["Sales-03", "Finance-02"]))
    new = march.filter(user == "Sales-04").with_columns(user=polars.lit("Sales-21"))
    more = {"user": ["Sales-07", "Engineering-02"], "permission": ["pay:approve", "prices:read"]}
    return polars.concat([stay, new, polars.DataFrame(more)])


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("commands, output", SHOWN.findall((root / "docs" / "roles.md").read_text(encoding="utf-8")))
def test_what_the_page_of_roles_shows_is_printed(commands, output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(root / "examples")
    march = polars.read_csv(root / "examples" / "access.csv")
    march.write_csv("march.csv")
    april(march).write_csv("april.csv")
    for line in commands.splitlines():
        result = CliRunner().invoke(main, shlex.split(line, comments=True)[1:])
        assert result.exit_code == 0, result.output
    assert result.stdout.split() == output.split()
