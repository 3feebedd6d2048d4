"""The table relation × subject as a page of the documentation."""

import inspect
from collections.abc import Mapping

from tests.relations.outcome import EVERYTHING, Outcome
from tests.relations.relations import RELATIONS

BEGIN, END = "<!-- table: python -m tests.relations --page -->", "<!-- end of table -->"


def as_markdown(found: Mapping[tuple[str, str], Outcome], before: Mapping[tuple[str, str], Outcome]) -> str:
    """Relations by number, a line for each subject, and the reasons below."""
    reasons = {why: number for number, why in enumerate(why_not(found), 1)}
    lines = [f"{i}. {first_sentence(relation)}" for i, relation in enumerate(RELATIONS.values(), 1)]
    lines += ["", "| | " + " | ".join(str(i + 1) for i in range(len(RELATIONS))) + " |"]
    lines += ["|---|" + "---|" * len(RELATIONS)]
    for subject in EVERYTHING:
        cells = [mark(found[subject, relation], before.get((subject, relation)), reasons) for relation in RELATIONS]
        lines.append(f"| {subject} | " + " | ".join(cells) + " |")
    lines += ["", *(f"<sup>{number}</sup> {why}  " for why, number in reasons.items())]
    return "\n".join(lines)


def why_not(found: Mapping[tuple[str, str], Outcome]) -> list[str]:
    """Reasons in the order in which the table gives them, each once."""
    wanted = [found[subject, relation] for subject in EVERYTHING for relation in RELATIONS]
    return list(dict.fromkeys(outcome.why for outcome in wanted if outcome.verdict == "does not apply"))


def mark(outcome: Outcome, before: Outcome | None, reasons: Mapping[str, int]) -> str:
    if outcome.verdict == "does not apply":
        return f"<sup>{reasons[outcome.why]}</sup>"
    if outcome.verdict == "broken":
        return "✗"
    return "●" if before is not None and before.verdict == "broken" else "✓"


def first_sentence(relation: object) -> str:
    return (inspect.getdoc(relation) or "").partition("\n")[0]


def put_into(page: str, table: str) -> str:
    head, _, rest = page.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{table}\n\n{END}{rest.partition(END)[2]}"
