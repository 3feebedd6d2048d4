"""A change as tables: joiners, movers, leavers, grants and roles, a CSV file each, and all of it as JSON."""

from __future__ import annotations

from pathlib import Path

from unmix.roles.access.folder import write_json, write_rows
from unmix.roles.change.compare import Change

FILES = ("people.csv", "grants.csv", "roles.csv", "change.json")


def write_change(change: Change, directory: str | Path) -> list[Path]:
    """people.csv, grants.csv, roles.csv and change.json."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    people = [("joiner", user, "", "", "") for user in change.joiners]
    people += [
        (
            "mover",
            m.user,
            "; ".join(m.left),
            "; ".join(m.joined),
            "; ".join(f"{k}: {a} → {b}" for k, a, b in m.attributes),
        )
        for m in change.movers
    ]
    people += [("leaver", user, "", "", "") for user in change.leavers]
    grants = [
        (what, g.user, g.permission, g.cause, g.role, "yes" if g.explained else "no")
        for what, listed in (("gained", change.gained), ("lost", change.lost))
        for g in listed
    ]
    roles = [("same", old, new, "100", "", "") for old, new in change.same]
    roles += [
        ("changed", d.old, d.new, f"{100 * d.overlap:.0f}", "; ".join(d.added), "; ".join(d.removed))
        for d in change.drifted
    ]
    roles += [("appeared", "", name, "", "", "") for name in change.appeared]
    roles += [("vanished", name, "", "", "", "") for name in change.vanished]
    return [
        write_rows(directory / "people.csv", ("what", "user", "roles left", "roles taken up", "attributes"), people),
        write_rows(directory / "grants.csv", ("what", "user", "permission", "cause", "role", "explained"), grants),
        write_rows(directory / "roles.csv", ("what", "before", "now", "in common %", "added", "removed"), roles),
        write_json(directory / "change.json", change.to_dict()),
    ]
