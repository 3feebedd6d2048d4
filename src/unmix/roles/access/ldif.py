"""Records of an LDIF file (RFC 2849): folded lines joined, base64 decoded, comments left out."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path

Record = dict[str, list[str]]  # attribute in lower case, without options, to its values

LINE_BREAKS = ("\r\n", "\r")


def read_ldif(path: Path) -> list[Record]:
    """The entries of a file; lists of changes are refused."""
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:  # against the standard, but found in old exports
        text = raw.decode("latin-1")
    for line_break in LINE_BREAKS:
        text = text.replace(line_break, "\n")
    records = [record for record in parse_records(text, path.name) if "dn" in record]
    if not records:
        raise ValueError(f"{path.name} holds no entry with a line 'dn: …'; give an LDIF file of groups.")
    for record in records:
        kind = record.get("changetype", ["add"])[0]
        if kind != "add":
            raise ValueError(
                f"{path.name} lists changes (changetype: {kind}); give a file of entries, as ldapsearch writes."
            )
    return records


def parse_records(text: str, source: str) -> Iterator[Record]:
    """Records between blank lines.

    >>> list(parse_records("dn: cn=a\\ncn: a\\nmember: uid=x,\\n ou=y\\n\\ndn:: Y249Yg==\\n", "file"))
    [{'dn': ['cn=a'], 'cn': ['a'], 'member': ['uid=x,ou=y']}, {'dn': ['cn=b']}]
    """
    record: Record = {}
    for number, line in unfolded(text):
        if not line.strip():
            if record:
                yield record
            record = {}
        elif not line.startswith("#"):
            name, value = attribute(line, number, source)
            record.setdefault(name, []).append(value)
    if record:
        yield record


def unfolded(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their continuations (a space at the beginning), each with its number."""
    whole, first = "", 1
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(" ") and whole:
            whole += line[1:]
            continue
        if number > 1:
            yield first, whole
        whole, first = line, number
    yield first, whole


def attribute(line: str, number: int, source: str) -> tuple[str, str]:
    name, mark, value = line.partition(":")
    if not mark:
        raise ValueError(f"Line {number} of {source} has no colon: {line[:40]!r}; LDIF lines are 'attribute: value'.")
    name = name.partition(";")[0].strip().casefold()
    if not value.startswith(":"):
        return name, value.strip(" ")
    try:
        return name, base64.b64decode(value[1:].strip(), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        if name in ("dn", "cn", "uid", "member", "uniquemember", "memberuid", "memberof"):
            raise ValueError(f"Line {number} of {source} is not base64 of text: {line[:40]!r}.") from None
        return name, ""  # pictures and certificates say nothing about access
