"""Roles that exist already: of an earlier result, its folder, a table of roles, and what was decided on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unmix.roles.access.folder import read_document
from unmix.roles.access.permission import as_text
from unmix.roles.access.read import read
from unmix.roles.problem.result import Roles
from unmix.roles.review.decisions import Decisions
from unmix.roles.review.file import from_tree, read_decisions
from unmix.roles.review.register import contents, role_id


@dataclass(frozen=True)
class Existing:
    """Roles by id, as text.

    ``names`` are those given by decisions; ``must`` are accepted; ``rejected`` are sets not to be proposed again;
    ``taken`` are ids that belong to roles of the past; ``held`` are the ids every user had; ``demanded`` are roles that
    were asked for whether anybody could hold them or not.
    """

    contents: dict[str, frozenset[str]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    must: frozenset[str] = frozenset()
    rejected: tuple[frozenset[str], ...] = ()
    taken: tuple[str, ...] = ()
    held: dict[str, frozenset[str]] = field(default_factory=dict)
    demanded: frozenset[str] = frozenset()


def existing_roles(keep: Any, decisions: Decisions | str | Path | None = None, soft: bool = False) -> Existing | None:
    """What exists, or None where ``keep`` is a plain list or mapping of roles that must be in the answer.

    ``soft`` says that such a list, too, is to be kept only where it serves.
    """
    made = read_decisions(decisions) if isinstance(decisions, str | Path) else decisions
    if isinstance(keep, Decisions):
        made, keep = keep if made is None else made, ()
    if isinstance(keep, str | Path):
        keep = from_path(Path(keep))
        if isinstance(keep, Decisions):
            made, keep = keep if made is None else made, ()
        soft = True
    plain = not isinstance(keep, Roles) and not is_document(keep)
    if plain and made is None and not (soft and keep):
        return None
    found = of_sets(keep, must=not soft) if plain else of_result(keep)
    return found if made is None else decided(found, made)


def from_path(path: Path) -> Any:
    """A folder of results, a decision file, or a table of role and permission."""
    if path.is_dir() or path.name == "roles.json":
        return read_document(path if path.is_dir() else path.parent)
    if path.suffix.casefold() == ".json":
        return read_decisions(path)
    try:
        given = read(path, header=True)
    except ValueError as error:
        raise ValueError(f"The roles to keep: {path.name!r} is no table of role and permission. {error}") from None
    return {str(name): given.permissions_of(name) for name in given.users}


def is_document(keep: Any) -> bool:
    return isinstance(keep, Mapping) and isinstance(keep.get("roles"), list) and "assignments" in keep


def of_sets(keep: Mapping[Any, Any] | Iterable[Any], must: bool) -> Existing:
    if not isinstance(keep, Mapping):
        keep = {f"kept {k + 1}": held for k, held in enumerate(keep)}
    found = {
        role_id(str(name)): frozenset(map(as_text, [held] if isinstance(held, str) else held))
        for name, held in keep.items()
    }
    names = {role_id(str(name)): str(name) for name in keep if role_id(str(name)) != str(name)}
    all_of_them = frozenset(found) if must else frozenset()
    return Existing(found, names, all_of_them, taken=tuple(found), demanded=all_of_them)


def of_result(keep: Roles | Mapping[str, Any]) -> Existing:
    found = contents(keep)
    given = keep.assignments if isinstance(keep, Roles) else keep["assignments"]
    held = {str(user): frozenset(map(role_id, names)) for user, names in given.items()}
    retired = keep.retired if isinstance(keep, Roles) else keep.get("retired", ())
    return Existing(found, taken=(*found, *retired), held=held)


def decided(found: Existing, made: Decisions) -> Existing:
    """What decisions say goes before what an earlier result has; roles still open are those of the result, if any."""
    if not isinstance(made, Decisions):
        made = from_tree(made)
    sets = dict(found.contents)
    for role in made.roles:
        if role.status == "rejected":
            sets.pop(role.id, None)
        elif role.status == "accepted" or not found.contents:
            sets[role.id] = role.permissions
    names = {role.id: f"{role.id} {role.name}" for role in made.roles if role.name and role.id in sets}
    return Existing(
        sets,
        found.names | names,
        found.must | {role.id for role in made.of_status("accepted")},
        tuple(role.permissions for role in made.of_status("rejected")),
        tuple(dict.fromkeys([*found.taken, *made.by_id, *made.retired])),
        found.held,
        found.demanded & set(sets),
    )
