"""Who is in which group, from directories and group lists: a group is a permission, its members the users.

LDIF entries with members (member, uniqueMember, memberUid, roleOccupant) or memberOf; lines "group: ann, bob"; and
/etc/group. Members of a group inside a group are members of both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from unmix.roles.access.access import Access
from unmix.roles.access.ldif import Record, read_ldif
from unmix.roles.access.oddities import Problem, alike_names

MEMBERS = ("member", "uniquemember", "memberuid", "roleoccupant")
USER_NAMES = ("uid", "samaccountname", "userprincipalname", "cn")
USER_ATTRIBUTES = ("department", "departmentnumber", "title", "employeetype", "l", "o", "ou", "company", "manager")
RDN = re.compile(r"\s*[^=,]+=\s*((?:\\.|[^,\\])*)")
ESCAPED = re.compile(r"\\([0-9a-fA-F]{2})|\\(.)")
LDIF_ENDINGS = (".ldif", ".ldf")
LIST_ENDINGS = (".group", ".groups")


def is_group_file(path: Path) -> bool:
    return path.suffix.casefold() in LDIF_ENDINGS + LIST_ENDINGS or path.name == "group"


def read_groups(path: Path) -> Access:
    """Access from a file of groups."""
    if not path.is_file():
        from unmix.io.base.errors import NoSuchFileError

        raise NoSuchFileError(f"There is no file {path}.")
    return from_ldif(read_ldif(path), path.name) if path.suffix.casefold() in LDIF_ENDINGS else from_list(path)


def from_ldif(records: list[Record], source: str) -> Access:
    groups = {normal(record["dn"][0]): record for record in records if any(key in record for key in MEMBERS)}
    users = {normal(record["dn"][0]): record for record in records if normal(record["dn"][0]) not in groups}
    group_name, user_name = names_of(groups, ("cn",)), names_of(users, USER_NAMES)
    direct = {dn: [m for key in MEMBERS for m in record.get(key, [])] for dn, record in groups.items()}
    pairs = [
        (user_name.get(normal(member)) or plain_name(member), group_name[dn])
        for dn in groups
        for member in everybody(dn, direct)
    ]
    for dn, record in users.items():
        pairs += [(user_name[dn], group_name.get(normal(g)) or plain_name(g)) for g in record.get("memberof", [])]
    if not pairs:
        raise ValueError(f"{source} holds no group with members; lines like 'member: uid=ann,…' name them.")
    described = {
        group_name[dn]: {"description": groups[dn]["description"][0]} for dn in groups if "description" in groups[dn]
    }
    attributes = {
        user_name[dn]: {key: record[key][0] for key in USER_ATTRIBUTES if record.get(key)}
        for dn, record in users.items()
    }
    access = of_members(pairs)
    access.user_attributes = {user: row for user, row in attributes.items() if row and user in access.user_number}
    access.permission_attributes = {name: row for name, row in described.items() if name in access.permission_number}
    nested = sum(normal(m) in groups for members in direct.values() for m in members)
    if nested:
        sentence = f"{source}: {nested} groups are members of groups; their members were taken as members of both."
        access.problems = (Problem("nested_groups", nested, (), sentence), *access.problems)
    return access


def everybody(dn: str, direct: dict[str, list[str]]) -> list[str]:
    """Members of a group and of the groups in it, each once; a circle of groups ends."""
    found: dict[str, str] = {}
    seen, waiting = {dn}, [dn]
    while waiting:
        for member in direct[waiting.pop()]:
            inner = normal(member)
            if inner not in direct:
                found.setdefault(inner, member)
            elif inner not in seen:
                seen.add(inner)
                waiting.append(inner)
    return list(found.values())


def names_of(records: dict[str, Record], attributes: Iterable[str]) -> dict[str, str]:
    """A short name for every entry; its whole distinguished name where two would have the same."""
    short = {
        dn: next((record[key][0] for key in attributes if record.get(key)), plain_name(record["dn"][0]))
        for dn, record in records.items()
    }
    often = Counter(short.values())
    return {dn: name if often[name] == 1 else records[dn]["dn"][0] for dn, name in short.items()}


def normal(dn: str) -> str:
    """A distinguished name without the differences of writing that mean nothing.

    >>> normal("UID=Ann, ou=People") == normal("uid=ann,ou=people")
    True
    """
    return re.sub(r"\s*([,=])\s*", r"\1", dn.strip()).casefold()


def plain_name(member: str) -> str:
    """The first value of a distinguished name, or the text itself.

    >>> plain_name("uid=ann,ou=people"), plain_name("cn=Doe\\\\, Ann,ou=people"), plain_name("bob")
    ('ann', 'Doe, Ann', 'bob')
    """
    match = RDN.match(member)
    if not match or "=" not in member:
        return member.strip()
    return ESCAPED.sub(lambda m: bytes.fromhex(m[1]).decode("latin-1") if m[1] else m[2], match[1]).strip()


def from_list(path: Path) -> Access:
    """Lines "group: ann, bob", and those of /etc/group, "group:x:100:ann,bob"."""
    pairs: list[tuple[str, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, mark, rest = line.partition(":")
        if not mark or not name.strip():
            raise ValueError(f"Line {number} of {path.name} is no 'group: member, member': {line[:40]!r}.")
        unix = re.fullmatch(r"[^:]*:\d*:([^:]*)", rest)
        members = (unix[1] if unix else rest).split(",")
        pairs += [(member.strip(), name.strip()) for member in members if member.strip()]
    if not pairs:
        raise ValueError(f"{path.name} holds no group with members; give lines 'group: member, member'.")
    return of_members(pairs)


def of_members(pairs: list[tuple[Any, Any]]) -> Access:
    access = Access.of_pairs(dict.fromkeys(pairs))
    access.problems = (*alike_names(access.users, "user"), *alike_names(access.permissions, "permission"))
    return access
