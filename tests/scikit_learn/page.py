"""The page docs/from_scikit_learn.md: for every shared class what is the same, what is added, what differs and why.

`python -m tests.scikit_learn.page` writes the part between the marks anew.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.scikit_learn.rewritten import SHARED
from tests.scikit_learn.signatures import Comparison, attributes, methods, parameters

PAGE = Path(__file__).parents[2] / "docs" / "from_scikit_learn.md"
REASONS = Path(__file__).with_name("reasons.toml")
BEGIN, END = "<!-- classes: python -m tests.scikit_learn.page -->", "<!-- end of classes -->"


def reasons() -> dict[str, dict[str, str]]:
    return tomllib.loads(REASONS.read_text(encoding="utf-8"))


def differences(name: str) -> list[str]:
    """What needs a reason: names that are absent here, and parameters with another default."""
    found = parameters(name)
    absent = [*found.absent, *(f"{key}()" for key in methods(name).absent), *attributes(name).absent]
    return [*absent, *(f"{key}=" for key in found.other_default)]


def as_markdown() -> str:
    return "\n".join(section(name) for name in sorted(SHARED, key=str.lower))


def section(name: str) -> str:
    whys, given = reasons().get(name, {}), parameters(name)
    lines = [f"### {name}", "", f"`from {SHARED[name]} import {name}`", ""]
    lines += [f"- **Same parameters**: {_listed(given.same)}."]
    lines += _added(given, "parameters") + _added(methods(name), "methods") + _added(attributes(name), "attributes")
    for key in differences(name):
        lines.append(f"- **{_said(key, given)}** {whys.get(key, '')}")
    return "\n".join([*lines, ""])


def _said(key: str, given: Comparison) -> str:
    if key.endswith("="):
        theirs, ours = given.other_default[key[:-1]]
        return f"`{key[:-1]}` is `{ours!r}` where scikit-learn has `{theirs!r}`:"
    return f"`{key}` is not there:"


def _added(found: Comparison, what: str) -> list[str]:
    return [f"- Added {what}: {_listed(found.added)}."] if found.added else []


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def put_into(page: str) -> str:
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{as_markdown()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(put_into(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
