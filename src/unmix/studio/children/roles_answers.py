"""Questions about roles: an access file before it is mined, mined roles under review, why somebody has something."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

MOST_PERMISSIONS = 2000  # offered by name


def access(path: str, attributes: str | None = None) -> dict[str, Any]:
    """Who-has-what in numbers, what is odd in it, and the names that rules may use."""
    from unmix.roles import read
    from unmix.roles.access.permission import as_text

    found = read(path, attributes=attributes)
    per_user = found.matrix.getnnz(axis=1) if hasattr(found.matrix, "getnnz") else found.matrix.sum(axis=1)
    return {
        "users": len(found.users),
        "permissions": len(found.permissions),
        "grants": int(found.matrix.nnz),
        "most": int(per_user.max(initial=0)),
        "problems": [problem.sentence for problem in found.problems],
        "names": [as_text(name) for name in found.permissions[:MOST_PERMISSIONS]],
    }


@lru_cache(maxsize=2)  # two are compared
def document_of(folder: str, stamp: float) -> dict[str, Any]:
    from unmix.roles.access.folder import read_document

    return read_document(Path(folder))


def mined(folder: str) -> dict[str, Any]:
    return document_of(folder, (Path(folder) / "roles.json").stat().st_mtime)


def drafted(folder: str, steps: list[dict[str, Any]]) -> Any:
    from unmix.studio.review.draft import Draft
    from unmix.studio.review.steps import take

    draft = Draft.of(mined(folder))
    for step in steps:
        take(draft, step)
    return draft


def reviewed(folder: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """The document after these steps, with the picture of it, its cost, and which entries are decided."""
    from unmix.report.roles.matrix import matrix
    from unmix.studio.review.cost import cost
    from unmix.studio.review.draft import Draft

    tree, (draft, found) = mined(folder), state_of(folder, steps)
    decided = [[*pair, status] for pair, status in draft.decided.items()]
    status = {role.id: role.status for role in draft.roles.values()}
    before, at_first = cost(Draft.of(tree)), {tuple(pair) for pair in tree["lost"]} - set(draft.decided)
    drawn = found | {"lost": [pair for pair in found["lost"] if tuple(pair) in at_first]}  # what was revoked is gone
    return {"tree": found, "matrix": matrix(drawn), "cost": cost(draft), "mined": before, "decided": decided,
            "entries": tree["exceptions"], "status": status}  # fmt: skip


def what_if(folder: str, steps: list[dict[str, Any]], step: dict[str, Any]) -> dict[str, Any]:
    """What one more step would change."""
    from unmix.studio.review.cost import taken

    return taken(mined(folder), drafted(folder, steps), step)


def review_files(folder: str, steps: list[dict[str, Any]]) -> dict[str, str]:
    """Every file of the result, and all of them in one archive, as base64."""
    from unmix.studio.review.files import bundle, zipped

    _, tree = state_of(folder, [one["step"] for one in steps])
    files = bundle(mined(folder), tree, steps)
    files["review.zip"] = zipped(files)
    return {name: base64.b64encode(content).decode() for name, content in files.items()}


def state_of(folder: str, steps: list[dict[str, Any]]) -> tuple[Any, dict[str, Any]]:
    """The draft after these steps, and its document."""
    from unmix.studio.review.result import reviewed as as_document

    draft = drafted(folder, steps)
    return draft, as_document(mined(folder), draft, len(steps))


def compared_roles(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """`unmix roles compare` of two reviewed results, and what each of them has and costs."""
    from unmix.roles.change.compare import compare
    from unmix.studio.review.cost import cost

    states = [state_of(**one) for one in (old, new)]
    sides = [
        {
            "cost": cost(draft),
            "counts": tree["counts"],
            "conflicts": len(tree["conflicts"]) if tree.get("duties") else None,
            "names": {role.id: role.name for role in draft.roles.values()},
            "users": {role.name: len(draft.holders(role.id)) for role in draft.roles.values()},
        }
        for draft, tree in states
    ]
    return {"change": compare(states[0][1], states[1][1]).to_dict(), "sides": sides}


def change_files(old: dict[str, Any], new: dict[str, Any]) -> dict[str, str]:
    """What `unmix roles compare --out` writes, as base64."""
    from unmix.roles.change.compare import compare
    from unmix.roles.change.tables import write_change

    with tempfile.TemporaryDirectory() as to:
        paths = write_change(compare(state_of(**old)[1], state_of(**new)[1]), to)
        return {path.name: base64.b64encode(path.read_bytes()).decode() for path in paths}


def why(folder: str, steps: list[dict[str, Any]], user: str, permission: str) -> list[str]:
    from unmix.roles.explanation.why import why as explain_grant

    return explain_grant(state_of(folder, steps)[1], user, permission)


ANSWERS: dict[str, Callable[..., Any]] = {
    "access": access,
    "reviewed": reviewed,
    "what_if": what_if,
    "review_files": review_files,
    "why": why,
    "compared_roles": compared_roles,
    "change_files": change_files,
}
