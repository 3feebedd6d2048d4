"""The page docs/input.md: `python -m tests.input.page` tries every estimator and writes the table anew."""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path

from tests.input.table import ESTIMATORS, FORMS, takes

PAGE = Path(__file__).parents[2] / "docs" / "input.md"
REASONS = tomllib.loads(Path(__file__).with_name("reasons.toml").read_text(encoding="utf-8"))
BEGIN, END = "<!-- table: python -m tests.input.page -->", "<!-- end of table -->"


def tried() -> dict[str, dict[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        return {name: {form: takes(name, form, Path(folder)) for form in FORMS} for name in ESTIMATORS}


def reason(name: str, form: str) -> str | None:
    """Why the estimator does not take the form; None where nobody wrote it down."""
    known = REASONS.get(form, {})
    return known.get(name, known.get("OTHERS"))


def as_markdown(found: dict[str, dict[str, str]]) -> str:
    whys: dict[str, int] = {}
    lines = ["| | " + " | ".join(FORMS) + " |", "|---|" + "---|" * len(FORMS)]
    for name, forms in found.items():
        cells = [_cell(name, form, answer, whys) for form, answer in forms.items()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *(f"<sup>{number}</sup> {why}  " for why, number in whys.items())])


def _cell(name: str, form: str, answer: str, whys: dict[str, int]) -> str:
    if answer != "no":
        return "✓" if answer == "yes" else answer
    why = reason(name, form) or ""
    return f"<sup>{whys.setdefault(why, len(whys) + 1)}</sup>"


def put_into(page: str, table: str) -> str:
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{table}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(put_into(PAGE.read_text(encoding="utf-8"), as_markdown(tried())), encoding="utf-8")
