"""An archive is whole, as it was written, and plain; any other file is refused before it is believed."""

import errno
import hashlib
import json
import os
import struct
import time
import zipfile

import numpy as np
import pytest

from unmix.core.storage import archive as archives
from unmix.core.storage.archive import REFUSALS, read_archive, reason, replacing, write_archive

ARRAYS = [np.arange(3), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.array(2.5), np.array(["ü", "x"])]


@pytest.fixture
def path(tmp_path):
    write_archive(tmp_path / "a", {"x": 1}, ARRAYS)
    return tmp_path / "a"


def members_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(path, members, how=zipfile.ZIP_STORED, digest=True):
    """Somebody else's zip file; with digests of what it holds, unless it is to be found out by them."""
    if digest:
        document = json.loads(members["document.json"])
        document["arrays"] = [hashlib.sha256(members[f"{i}.npy"]).hexdigest() for i in range(len(document["arrays"]))]
        members["document.json"] = json.dumps(document).encode()
        members["digest"] = hashlib.sha256(members["document.json"]).hexdigest().encode()
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def npy(shape, descr="<f8", data=b"\0" * 24, order=False):
    """An npy file made by hand, which NumPy would not write."""
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


def refused(path, words):
    with pytest.raises(REFUSALS) as caught:
        read_archive(path)
    assert words in reason(caught.value)


def test_what_is_written_is_read(path):
    document, arrays = read_archive(path)
    assert document["x"] == 1
    for array, expected in zip(arrays, ARRAYS, strict=True):
        assert array.dtype == expected.dtype and np.array_equal(array, expected) and array.flags.writeable
    assert arrays[1].flags.f_contiguous


def test_the_same_state_is_the_same_bytes_at_any_time(path, monkeypatch):
    written = []
    for moment in (1e9, 1.7e9):  # a zip file would note the time of each of its members
        monkeypatch.setattr(time, "time", lambda now=moment: now)
        write_archive(path, {"kind": "x"}, [np.arange(3.0)])
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_numbers_of_another_byte_order_become_those_of_this_machine(path):
    rewrite(path, members_of(path) | {"0.npy": npy((3,), ">f8", np.array([1.0, 2.5, -3.0], ">f8").tobytes())})
    array = read_archive(path)[1][0]
    assert array.dtype.isnative and array.tolist() == [1.0, 2.5, -3.0]


@pytest.mark.parametrize("member", ["document.json", "digest", "0.npy", "1.npy"])
def test_a_change_anywhere_is_noticed(path, member):
    whole = members_of(path)
    for place in np.linspace(0, len(whole[member]) - 1, 25).astype(int):
        data = bytearray(whole[member])
        data[place] ^= 1
        rewrite(path, whole | {member: bytes(data)}, digest=False)
        refused(path, "changed after it was written")


def test_every_byte_of_a_short_file_is_held(path):
    """One flipped bit: what is read is the same to the bit, or nothing is."""
    data = path.read_bytes()
    document, arrays = read_archive(path)
    for place in range(0, len(data), 7):
        path.write_bytes(data[:place] + bytes([data[place] ^ 16]) + data[place + 1 :])
        try:
            found, other = read_archive(path)
        except REFUSALS:
            continue
        assert found == document and all(map(np.array_equal, other, arrays))


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (npy((2**44,)), "shape (17592186044416,)"),
        (npy((2**31, 2**31, 2**31)), "not as many entries"),
        (npy((4,)), "not as many entries"),
        (npy((-3,)), "not as many entries"),
        (npy((-1, -3)), "not as many entries"),
        (npy((2**60,), "|V0", b""), "neither numbers nor text"),
        (npy((2**60,), "<U0", b""), "neither numbers nor text"),
        (npy((3,), "|O"), "neither numbers nor text"),
        (npy((3,), "nonsense"), "descr"),
        (b"\x93NUMPY\x03\x00" + npy((3,))[8:], "format (3, 0)"),
        (b"", "magic"),
    ],
)
def test_a_header_that_does_not_fit_its_bytes_is_refused(path, array, words):
    rewrite(path, members_of(path) | {"0.npy": array})
    refused(path, words)


@pytest.mark.parametrize("how", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_compressed_parts_are_refused(path, how):
    rewrite(path, members_of(path), how)
    refused(path, "compressed")


def test_a_compression_nobody_knows_is_refused(path):
    data = path.read_bytes()
    entry = data.index(b"PK\x01\x02")
    path.write_bytes(data[: entry + 10] + struct.pack("<H", 99) + data[entry + 12 :])
    refused(path, "compressed or encrypted")


def test_parts_that_claim_more_than_the_file_are_refused(path):
    data = path.read_bytes()
    entry = data.index(b"PK\x01\x02")
    path.write_bytes(data[: entry + 20] + struct.pack("<II", 2**31, 2**31) + data[entry + 28 :])
    refused(path, "overlap")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_further_and_double_parts_are_refused(path):
    whole = members_of(path)
    rewrite(path, whole | {"more.txt": b"?"})
    refused(path, "more than it says")
    rewrite(path, whole)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("0.npy", whole["0.npy"])
    refused(path, "overlap")


def test_a_file_larger_than_memory_is_refused_before_it_is_read(path, monkeypatch):
    monkeypatch.setattr(archives, "memory_bytes", lambda: 1000)
    refused(path, "GiB of this machine")


def test_errors_without_words_get_some():
    assert "more memory than there is" in reason(MemoryError())
    assert "nested" in reason(RecursionError())
    assert reason(NotImplementedError()) == "NotImplementedError"


def test_a_failed_write_leaves_the_old_file(tmp_path):
    (tmp_path / "f").write_text("old")
    with pytest.raises(RuntimeError), replacing(tmp_path / "f") as file:
        file.write(b"half")
        raise RuntimeError
    assert (tmp_path / "f").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_full_disk_gets_one_sentence(path, monkeypatch):
    before = path.read_bytes()
    monkeypatch.setattr(
        "unmix.core.storage.archive.os.fsync", lambda handle: (_ for _ in ()).throw(OSError(errno.ENOSPC, ""))
    )
    with pytest.raises(
        OSError, match=r"could not be written \(No space left on device\); what stood there is unchanged"
    ):
        write_archive(path, {}, [])
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]


def test_the_file_and_its_name_are_on_disk_before_the_call_returns(tmp_path, monkeypatch):
    events, sync, replace = [], os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (events.append("sync"), sync(handle)))
    monkeypatch.setattr(os, "replace", lambda *names: (events.append("rename"), replace(*names)))
    write_archive(tmp_path / "a", {}, [])
    assert events == ["sync", "rename", "sync"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_device_or_a_pipe_is_never_replaced_by_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ValueError, match="is a device or a pipe"):
        write_archive(pipe, {}, [])
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_pipe_a_device_and_a_folder_are_no_archives(tmp_path):
    os.mkfifo(tmp_path / "pipe")  # reading it would wait for ever
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ValueError, match="which may never end"):
            read_archive(path)


def test_a_link_is_followed_and_stays(tmp_path):
    (tmp_path / "link").symlink_to("new")
    with replacing(tmp_path / "link") as file:
        file.write(b"x")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "new").read_bytes() == b"x"
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ValueError, match="leads to itself"), replacing(tmp_path / "loop"):
        pass
    (tmp_path / "folder").mkdir()
    (tmp_path / "to folder").symlink_to("folder")
    with pytest.raises(OSError, match="Is a directory"), replacing(tmp_path / "to folder"):
        pass
    assert sorted(os.listdir(tmp_path)) == ["folder", "link", "loop", "new", "to folder"]
