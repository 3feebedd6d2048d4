"""Permissions as (object, operation): a pair, or a text "object:operation"."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from difflib import get_close_matches

SEPARATOR = ":"


def is_pair(permission: Hashable) -> bool:
    return isinstance(permission, tuple) and len(permission) == 2


def as_text(permission: Hashable) -> str:
    """A permission as text: a pair as "object:operation", anything else as it prints.

    >>> as_text(("mail", "read")), as_text("mail:read"), as_text(7)
    ('mail:read', 'mail:read', '7')
    """
    return f"{permission[0]}{SEPARATOR}{permission[1]}" if is_pair(permission) else str(permission)  # type: ignore[index]


def object_and_operation(permission: Hashable, separator: str = SEPARATOR) -> tuple[Hashable, Hashable]:
    """The pair, or the text split at the last separator.

    >>> object_and_operation(("mail", "read")), object_and_operation("a:b:read")
    (('mail', 'read'), ('a:b', 'read'))
    """
    if is_pair(permission):
        return permission  # type: ignore[return-value]
    object_, mark, operation = str(permission).rpartition(separator)
    if not mark:
        raise ValueError(
            f"The permission {permission!r} has no {separator!r} between object and operation; give a pair (object, "
            "operation), or say with separator= where to split."
        )
    return object_, operation


def unknown_name(kind: str, name: Hashable, names: Iterable[Hashable]) -> str:
    """What to say of a name that is not there, with those it may have been meant for.

    >>> unknown_name("user", "anne", ["ann", "bob"])
    "There is no user named 'anne'; did you mean 'ann'?"
    """
    texts: dict[str, Hashable] = {}
    for known in names:
        texts.setdefault(as_text(known).casefold(), known)
    near = get_close_matches(as_text(name).casefold(), texts, n=3, cutoff=0.6)
    hint = f"; did you mean {' or '.join(repr(texts[text]) for text in near)}?" if near else "."
    return f"There is no {kind} named {name!r}{hint}"
