"""Archives damaged byte by byte in every region, and crafted anew with digests that agree."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np

HOSTILE: tuple[Any, ...] = (
    None, True, -1, 0, 2**70, 1.5, "", "x" * 3000, "0x1p99999", "os:system", [], {}, [[[]]], {"array": 99},
)  # fmt: skip
IN_DOCUMENTS = (*HOSTILE, 10**400)  # no float is as large: refused as it is read


def regions(data: bytes) -> dict[str, tuple[int, int]]:
    """Where the parts of an archive lie: of each member its header and its data, then the list and its end."""
    found: dict[str, tuple[int, int]] = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for member in archive.infolist():
            start = member.header_offset
            body = start + 30 + len(member.filename.encode())
            found[f"header of {member.filename}"] = (start, body)
            found[member.filename] = (body, body + member.file_size)
        listed = archive.start_dir
    end = data.rindex(b"PK\x05\x06")
    return found | {"list": (listed, end), "end": (end, len(data))}


def damaged(data: bytes, places: int) -> Iterator[tuple[str, bytes]]:
    """In every region so many flipped bytes, spread evenly, and one hole; then the file cut at each region's start."""
    for name, (start, stop) in regions(data).items():
        for place in np.unique(np.linspace(start, stop - 1, min(places, stop - start)).astype(int)):
            yield f"byte {place} in {name}", data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :]
        yield f"zeros in {name}", data[:start] + bytes(stop - start) + data[stop:]
        yield f"cut before {name}", data[:start]


def members_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(members: dict[str, bytes]) -> bytes:
    """An archive of these members whose digests agree."""
    document = json.loads(members["document.json"])
    names = sorted((name for name in members if name.endswith(".npy")), key=lambda name: int(name[:-4]))
    document["arrays"] = [hashlib.sha256(members[name]).hexdigest() for name in names]
    text = json.dumps(document).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("document.json", text)
        archive.writestr("digest", hashlib.sha256(text).hexdigest())
        for name in names:
            archive.writestr(name, members[name])
    return buffer.getvalue()


def crafted(data: bytes, most: int) -> Iterator[tuple[str, bytes]]:
    """Every array in another shape or kind, and leaves of the document replaced, all with digests that agree."""
    members = members_of(data)
    for name in [name for name in members if name.endswith(".npy")]:
        array = np.load(io.BytesIO(members[name]))
        for what, other in other_arrays(array):
            buffer = io.BytesIO()
            np.save(buffer, other)
            yield f"{name} {what}", packed(members | {name: buffer.getvalue()})
    document = json.loads(members["document.json"])
    places = [place for place in leaves(document) if place[0] != "arrays"]
    for number in np.unique(np.linspace(0, len(places) - 1, min(most, len(places))).astype(int)):
        place = places[number]
        value = IN_DOCUMENTS[int(number) % len(IN_DOCUMENTS)]
        text = json.dumps(replaced(document, place, value)).encode()
        yield f"{'/'.join(map(str, place))} = {str(value)[:20]!r}", packed(members | {"document.json": text})


def other_arrays(array: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    yield "without entries", array.ravel()[:0]
    yield "in one dimension more", array[None]
    yield "longer", np.concatenate([array, array]) if array.ndim else np.array([array, array])
    yield "of text", array.astype("U8")
    if array.dtype.kind == "f":
        yield "of NaN", np.full_like(array, np.nan)
        yield "of whole numbers", np.zeros(array.shape, np.int8)
    if array.dtype.kind in "iu":
        yield "of large numbers", np.full_like(array, np.iinfo(array.dtype).max)
    if array.ndim == 2 and array.shape[0] != array.shape[1]:
        yield "turned", array.T.copy()


def leaves(tree: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(tree, dict):
        inner = [leaves(value, (*place, key)) for key, value in tree.items()]
    elif isinstance(tree, list):
        inner = [leaves(value, (*place, number)) for number, value in enumerate(tree)]
    else:
        return [place]
    return [leaf for found in inner for leaf in found] or [place]


def replaced(tree: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A copy of the tree with another leaf."""
    if not place:
        return value
    out = tree.copy()
    out[place[0]] = replaced(tree[place[0]], place[1:], value)
    return out
