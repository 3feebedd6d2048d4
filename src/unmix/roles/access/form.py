"""Whether values of JSON have the kinds they are used as.

A form is a kind of leaf, a tuple of the words that may stand there, a list of one form, or a dict: of named parts,
where those whose name ends in "?" may be missing, or with ``str`` as its key of parts of any name.
"""

from __future__ import annotations

from typing import Any

MOST = 2**53  # beyond it whole numbers are no longer told apart; NaN and infinity are beyond it too


def misfit(tree: Any, form: Any, place: str = "content") -> str | None:
    """The first place that is not as its form says; None if all of it is.

    >>> misfit({"n": 3, "names": ["a", 4]}, {"n": int, "names": [str], "more?": str})
    'names'
    """
    if isinstance(form, list):
        parts = [(item, form[0], place) for item in tree] if isinstance(tree, list) else None
    elif isinstance(form, dict):
        parts = _named_parts(tree, form, place) if isinstance(tree, dict) else None
    else:
        parts = [] if _is_leaf(tree, form) else None
    if parts is None:
        return place
    return next((found for part in parts if (found := misfit(*part)) is not None), None)


def _named_parts(tree: dict[Any, Any], form: dict[Any, Any], place: str) -> list[tuple[Any, Any, str]]:
    if str in form:
        return [(item, form[str], place) for item in tree.values()]
    wanted = [(name.removesuffix("?"), name.endswith("?"), part) for name, part in form.items()]
    return [(tree.get(name), part, name) for name, may_lack, part in wanted if name in tree or not may_lack]


def _is_leaf(value: Any, form: Any) -> bool:
    if isinstance(form, tuple):
        return isinstance(value, str) and value in form
    if form in (int, float):
        kinds = int if form is int else int | float
        return isinstance(value, kinds) and not isinstance(value, bool) and abs(value) <= MOST
    return isinstance(value, form)
