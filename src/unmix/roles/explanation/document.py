"""Mined roles as one plain tree of JSON values, complete enough to rebuild who has what, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from unmix.roles.access.access import Access, row
from unmix.roles.access.folder import numbered_id
from unmix.roles.access.permission import as_text
from unmix.roles.description.conditions import Condition
from unmix.roles.duties.checked import conflicts, duty_list, listed
from unmix.roles.duties.conflicts import Conflict
from unmix.roles.duties.duty import Duty
from unmix.roles.evaluation.generalization import Generalization
from unmix.roles.explanation.exceptions import Explanation
from unmix.roles.explanation.first_roles import first_roles
from unmix.roles.explanation.front import Point
from unmix.roles.explanation.proposals import Proposal
from unmix.roles.problem.result import Roles


def document(
    found: Roles,
    explanation: Explanation,
    *,
    front: Sequence[Point] = (),
    held_out: Generalization | None = None,
    duties: Sequence[Duty] = (),
    conflicts_before: Sequence[Conflict] = (),
    repaired: Sequence[tuple[Any, Any]] = (),
    notes: Sequence[str] = (),
    **facts: Any,
) -> dict[str, Any]:
    """Counts, certificate, roles, assignments and everything an auditor should look at; names as text.

    ``facts`` (source, command, problem, …) come first.
    """
    access = found.access
    outside: dict[str, list[list[str]]] = {"direct": [], "lost": [], "gained": []}
    for grant in found.exceptions:
        kind = {"direct": "direct", "missing": "lost", "extra": "gained"}[grant.kind]
        outside[kind].append([str(grant.user), as_text(grant.permission)])
    return {
        **facts,
        "certificate": found.certificate,
        "proven": found.proven,
        "interrupted": found.interrupted,
        "exact": not outside["lost"] and not outside["gained"] and found.verify(),
        "counts": counts(found, outside),
        "problems": [problem.sentence for problem in access.problems] + is_largest_tried(found) + list(notes),
        "birthright": [
            {"permission": as_text(b.permission), "holders": b.holders, "without": b.without}
            for b in explanation.birthright
        ],
        "first_roles": [step._asdict() for step in first_roles(found)],
        "front": [point._asdict() for point in front],
        "held_out": None if held_out is None else held_out._asdict(),
        "tried": [{"n_roles": k, **part._asdict()} for k, part in getattr(found, "tried", {}).items()],
        "roles": role_list(found, explanation),
        "retired": list(found.retired),
        "assignments": {
            str(user): [found.names[k] for k in row(found.user_roles, i)] for i, user in enumerate(access.users)
        },
        "permissions": [as_text(name) for name in access.permissions],
        "descriptions": descriptions(access),
        "user_attributes": attributes(access),
        **outside,
        "exceptions": [
            {
                **entry._asdict(),
                "user": str(entry.user),
                "permission": as_text(entry.permission),
                "such_as": [str(user) for user in entry.such_as],
            }
            for entry in explanation.exceptions
        ],
        "proposals": [proposal_tree(one) for one in explanation.proposals],
        **by_attribute(explanation),
        "outliers": [{**entry._asdict(), "user": str(entry.user)} for entry in explanation.outliers],
        "duties": duty_list(duties),
        "conflicts": listed(conflicts(found, duties)) if duties else [],
        "conflicts_before": listed(conflicts_before),
        "repaired": [[str(user), as_text(permission)] for user, permission in repaired],
    }


def proposal_tree(one: Proposal) -> dict[str, Any]:
    return {
        **one._asdict(),
        "users": [str(user) for user in one.users],
        "permissions": [as_text(permission) for permission in one.permissions],
        "sentence": one.sentence,
    }


def by_attribute(explanation: Explanation) -> dict[str, Any]:
    """What attributes say: rules of roles, birthright of a kind of user, users whose roles fit others."""
    return {
        "rules": [
            {**rule._asdict(), "condition": listed_condition(rule.condition), "sentence": rule.sentence}
            for rule in explanation.rules
        ],
        "attribute_birthright": [
            {**b._asdict(), "condition": listed_condition(b.condition), "permission": as_text(b.permission)}
            for b in explanation.attribute_birthright
        ],
        "attribute_misfits": [
            {**m._asdict(), "user": str(m.user), "like": [listed_condition(one) for one in m.like]}
            for m in explanation.misfits
        ],
    }


def listed_condition(condition: Condition) -> list[list[str]]:
    return [list(pair) for pair in condition]


def descriptions(access: Access) -> dict[str, str]:
    """What permissions are, from a column "description" of their attributes."""
    found = {}
    for name, columns in access.permission_attributes.items():
        text = next((value for key, value in columns.items() if str(key).strip().casefold() == "description"), None)
        if text is not None and str(text).strip():
            found[as_text(name)] = str(text)
    return found


def attributes(access: Access) -> dict[str, dict[str, str]]:
    """Attributes of users as text, so that a later run can tell who moved."""
    return {
        str(user): {str(key): str(value) for key, value in columns.items() if value is not None}
        for user, columns in access.user_attributes.items()
    }


def is_largest_tried(found: Any) -> list[str]:
    """Whether more roles than were tried might predict better still."""
    tried = getattr(found, "tried", {})
    if len(tried) < 2 or len(found.names) < max(tried):
        return []
    return [f"{max(tried)} is the largest number of roles that was tried; give a larger one to try more."]


def counts(found: Roles, outside: dict[str, list[list[str]]]) -> dict[str, int]:
    return {
        "users": len(found.access.users),
        "permissions": len(found.access.permissions),
        "grants": int(found.access.matrix.nnz),
        "roles": len(found.names),
        "assignments": int(found.user_roles.nnz),
        "role_permissions": int(found.role_permissions.nnz),
        **{kind: len(pairs) for kind, pairs in outside.items()},
    }


def role_list(found: Roles, explanation: Explanation) -> list[dict[str, Any]]:
    access, holders = found.access, np.bincount(found.user_roles.indices, minlength=len(found.names))
    return [
        {
            "id": numbered_id(name),
            "name": name,
            "description": "",
            "permissions": [as_text(access.permissions[j]) for j in row(found.role_permissions, k)],
            "n_users": int(holders[k]),
            "contains": sorted(found.hierarchy[name]),
            "traits": [trait._asdict() for trait in explanation.traits.get(name, [])],
        }
        for k, name in enumerate(found.names)
    ]


def given_pairs(tree: dict[str, Any]) -> set[tuple[str, str]]:
    """Who gets what by the roles and single grants of a document."""
    holds = {role["name"]: role["permissions"] for role in tree["roles"]}
    pairs = {(user, p) for user, roles in tree["assignments"].items() for role in roles for p in holds[role]}
    return pairs | {(user, permission) for user, permission in tree["direct"]}


def held_pairs(tree: dict[str, Any]) -> set[tuple[str, str]]:
    """Who had what before: what is given, with what was lost and without what was gained."""
    lost, gained = ({(user, permission) for user, permission in tree[kind]} for kind in ("lost", "gained"))
    return (given_pairs(tree) | lost) - gained


def text_names(access: Access) -> set[tuple[str, str]]:
    """The grants with their names as text."""
    return {(str(user), as_text(permission)) for user, permission in access.pairs()}
