"""Pages name every option of the commands, and none that does not exist."""

import re
from pathlib import Path

import click
import pytest

from unmix.cli.main import main

root = Path(__file__).parents[1]
PAGES = {
    "explore": "explore.md",
    "assign": "explore.md",
    "compare": "explore.md",
    "select": "methods/model_selection.md",
    "roles": "roles.md",
    "separate": "separate.md",
    "studio": "studio.md",
    "warm": "first_use.md",
    "denoise": "methods/image_denoising.md",
    "inpaint": "methods/inpainting.md",
    "background": "methods/background.md",
}
ELSEWHERE = {"--network", "--rm", "--long", "--quick", "--repeat", "--sets", "--repeats", "--list", "--page", "--short"}
EVERYWHERE = {"--help", "--quiet", "--force", "--out", "--version", "--seed", "--json"}


def commands(group=main, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        yield (*path, name), command


def options(command):
    """The long names of its options."""
    return {
        name
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for name in [*parameter.opts, *parameter.secondary_opts]
        if name.startswith("--")
    }


KNOWN = {path: options(command) for path, command in commands()}


@pytest.mark.parametrize("path", sorted(KNOWN), ids=" ".join)
def test_the_page_of_a_command_names_its_options(path):
    text = (root / "docs" / PAGES[path[0]]).read_text(encoding="utf-8")
    missing = {name for name in KNOWN[path] if not re.search(rf"{name}\b", text)} - EVERYWHERE
    assert missing == set()


@pytest.mark.parametrize("page", sorted(set(PAGES.values())))
def test_options_on_the_page_exist(page):
    text = (root / "docs" / page).read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+\b", text)) - ELSEWHERE
    assert named - EVERYWHERE - set().union(*KNOWN.values()) == set()
