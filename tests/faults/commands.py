"""Every command on a small input of its own, run in this process as from a shell."""

from __future__ import annotations

import os
import signal
import sys
import wave
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import click
import numpy as np
from click.testing import CliRunner, Result

from unmix.cli.main import main

TABLE = "a,b\n" + "".join(f"{i % 2 * 9 + i % 5},{i % 2 * 9 + i % 3}\n" for i in range(24))
ACCESS = "user,permission\nann,a\nann,b\nbob,b\nbob,c\ncid,a\ncid,b\n"

# What each command is given, where it writes if it writes, and what must be there before.
COMMANDS: dict[str, list[str]] = {
    "explore": ["explore", "x.csv", "--max-k", "2", "--out", "out"],
    "replay": ["explore", "--replay", "first/report.html", "x.csv", "--out", "out"],
    "assign": ["assign", "first", "x.csv", "--out", "out.csv"],
    "compare": ["compare", "first", "x.csv"],
    "select": ["select", "x.csv", "--most", "2", "--out", "out.unmix"],
    "roles": ["roles", "access.csv", "--out", "out"],
    "why": ["roles", "why", "mined", "ann", "a"],
    "what-if": ["roles", "what-if", "mined", "--drop", "R1"],
    "decide": ["roles", "decide", "mined", "--accept", "R01", "--decisions", "out.json"],
    "changes": ["roles", "compare", "mined", "access.csv", "--out", "out"],
    "export": ["roles", "export", "mined", "--to", "csv", "--out", "out"],
    "cedar": ["roles", "export", "mined", "--to", "cedar", "--out", "out"],
    "excel": ["roles", "export", "mined", "--to", "excel", "--out", "out.xlsx"],
    "sign-off": ["roles", "export", "mined", "--to", "sign-off", "--out", "out.html"],
    "separate": ["separate", "x.wav", "--n-components", "1", "--out", "out"],
    "denoise": ["denoise", "x.png", "--sigma", "5", "--out", "out.png"],
    "inpaint": ["inpaint", "x.png", "--mask", "mask.png", "--out", "out.png"],
    "background": ["background", "video.npy", "--out", "out"],
}
# Where each of those that write puts its results.
OUT = {name: words[-1] for name, words in COMMANDS.items() if words[-1].startswith("out")}
WRITING = list(OUT)


def prepare(folder: Path) -> None:
    """The inputs, and results of earlier runs that some commands read."""
    rng = np.random.default_rng(0)
    (folder / "x.csv").write_text(TABLE)
    (folder / "access.csv").write_text(ACCESS)
    mixed = rng.laplace(size=(120, 2)) @ [[1.0, 0.4], [0.3, 1.0]]
    with wave.open(os.fspath(folder / "x.wav"), "wb") as sound:
        sound.setparams((2, 2, 8000, len(mixed), "NONE", ""))
        sound.writeframes((1000 * mixed).astype("<i2").tobytes())
    np.save(folder / "video.npy", rng.random((3, 6, 6)))
    from PIL import Image

    Image.fromarray(rng.integers(0, 255, (16, 16), dtype=np.uint8)).save(folder / "x.png")
    Image.fromarray(np.eye(16, dtype=np.uint8) * 255).save(folder / "mask.png")
    for words in (["explore", "x.csv", "--max-k", "2", "--out", "first"], ["roles", "access.csv", "--out", "mined"]):
        result = invoke(words, folder)
        assert result.exit_code == 0, result.output + repr(result.exception)


def invoke(words: list[str], folder: Path) -> Result:
    with chdir(folder):
        result = CliRunner().invoke(main, words)
    if result.exit_code == 128 + signal.SIGTERM:  # the harness itself was asked to end
        sys.exit(result.exit_code)
    return result


def unclear(result: Result, codes: tuple[int, ...] = (0, 2)) -> str | None:
    """What is wrong with how a command ended: with another code, a raw error, or no word why."""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return f"raw {type(result.exception).__name__}: {str(result.exception)[:160]!r}"
    if result.exit_code not in codes:
        return f"exit code {result.exit_code}: {result.stderr[-200:]!r}"
    last = result.stderr.strip().splitlines()[-1] if result.stderr.strip() else ""
    if result.exit_code and (not last.startswith(("unmix: ", "Error: ")) or len(last) > 800):
        return f"no sentence at its end: {last[:200]!r}"
    return None


def state_of(folder: Path) -> dict[str, bytes | None]:
    """Every file below a folder and what it holds; a folder holds None."""
    return {
        os.fspath(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def options_of() -> Iterator[tuple[list[str], click.Command]]:
    """Every command with the words that reach it."""
    waiting: list[tuple[list[str], click.Command]] = [([], main)]
    while waiting:
        words, command = waiting.pop()
        if isinstance(command, click.Group):
            waiting += [([*words, name], inner) for name, inner in command.commands.items()]
        else:
            yield words, command


def given_of(words: list[str]) -> list[str]:
    """A good command line that reaches a command."""
    for given in COMMANDS.values():
        whole = ["roles", "mine", *given[1:]] if given[:2] == ["roles", "access.csv"] else given
        if whole[: len(words)] == words and "--replay" not in whole:
            return list(whole)
    return list(words)
