"""A statement on a column against the fact: right, wrong, or absent where only something more general was said."""

from typing import Any

NOT_MEASURED = {"id", "code", "counter", "calendar", "date", "constant", "derived", "target", "text"}
# Said instead of the fact without being false: the kind is told less precisely, and the column treated alike.
GENERAL = {
    "count": {"numeric", "ordered"}, "coordinate": {"numeric"}, "ordered": {"numeric", "category", "count"},
    "calendar": {"date"}, "counter": {"id"}, "code": {"category"}, "id": {"text", "category"}, "text": {"id"},
    "target": {"category", "boolean"}, "category": {"boolean"}, "number": {"count"}, "date": {"calendar"},
}  # fmt: skip
ALIKE = {"number": {"numeric", "count"}, "category": {"category", "ordered"}}


def kind_statement(fact: str, said: str) -> str:
    if said in ALIKE.get(fact, {fact}):
        return "right"
    return "absent" if said in GENERAL.get(fact, set()) else "wrong"


def use_statement(fact: str, column: Any) -> str:
    """Whether what is no measurement was kept from forming clusters, and what is one was not."""
    if fact in ("category", "boolean", "ordered", "coordinate", "count"):
        return ""
    return "right" if column.used == (fact not in NOT_MEASURED) else "wrong"
