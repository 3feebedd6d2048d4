"""Separated sources as one self-contained HTML page: what was recorded, what was found, heard and seen side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from unmix.report.drawing.code import code
from unmix.report.drawing.marks import colour_class
from unmix.report.drawing.markup import Markup, element, table
from unmix.report.drawing.numbers import NO_VALUE, breakable, clip, count, is_number, number
from unmix.report.frame import frame, write_page
from unmix.report.headline import tile
from unmix.report.reproduce import button
from unmix.report.separation.cards import MOST_SHOWN, channels, source_cards
from unmix.report.separation.figures import trace
from unmix.report.separation.sound import Sounds, sounds

STABLE_FROM = 0.9
REPRODUCIBLE = "The same version, seed and files give the same answer."


def render(tree: dict[str, Any], played: Sounds) -> str:
    """The page of a `document` of a separation as a string; the same document and sounds give the same bytes."""
    written = [
        ("signals", "Signals", side_by_side(tree, played)),
        ("sources", "Sources", source_cards(tree)),
        ("mixing", "Mixing", mixing(tree)),
        ("channels", "Channels", channels(tree)),
        ("reproduce", "Reproduce", reproduce(tree)),
    ]
    return frame(
        written,
        headline=headline(tree),
        title=count(tree["n_sources"], "source"),
        source=clip(tree.get("source") or "signals"),
        numbers=tree,
        styles=("separation.css",),
        scripts=("actions.js", "sound.js"),
        version=tree.get("version"),
        sound=bool(played.seconds),
    )


def write(tree: dict[str, Any], parts: tuple[Any, Any, Any], path: str | Path) -> Path:
    """Write the page of a separation (its model, signals and sources) to `path`, whole or not at all."""
    _, signals, found = parts
    return write_page(render(tree, sounds(signals, found)), path)


def headline(tree: dict[str, Any]) -> Markup:
    """How many sources there are, how sure they are, and what to know before relying on them."""
    stable = [entry["stability"] for entry in tree["sources"]]
    known = is_number(stable[0])
    steady = sum(value >= STABLE_FROM for value in stable) if known else 0
    kurtosis = [entry["kurtosis"] for entry in tree["sources"] if is_number(entry["kurtosis"])]
    rate = f"{number(tree['rate'], 6)} Hz" if tree["rate"] else NO_VALUE
    tiles = [
        tile("Channels", number(tree["n_channels"]), "recorded"),
        tile("Sources", number(tree["n_sources"]), f"by {tree['model']}"),
        tile("Length", duration(tree), f"{number(tree['n_samples'])} samples"),
        tile("Sample rate", rate, "samples per second" if tree["rate"] else "not known"),
        tile("Found again", f"{steady} of {len(stable)}" if known else NO_VALUE, "sources, in resampled recordings"),
        tile("Largest kurtosis", number(max(kurtosis), 3) if kurtosis else NO_VALUE, "0 is Gaussian"),
    ]
    return element(
        "section",
        element("h1", f"{count(tree['n_sources'], 'source')} from {count(tree['n_channels'], 'channel')}"),
        element("p", lede(tree, steady, known), class_="lede"),
        element("dl", tiles, class_="tiles"),
        [
            element("p", element("strong", "Before you rely on this. "), words, class_="notice")
            for words in tree["warnings"]
        ],
        [element("p", words, class_="remark quiet") for words in tree["notes"]],
        class_="verdict",
        id="verdict",
    )


def lede(tree: dict[str, Any], steady: int, known: bool) -> str:
    how = {
        "second_order": "Sources with different autocorrelations, uncorrelated with each other at every lag.",
    }.get(tree["method"], "Sources as independent of each other as their distributions allow.")
    if not known:
        return f"{how} The recording is too short to say how reliable they are."
    found = "All of them" if steady == tree["n_sources"] else f"{number(steady)} of {tree['n_sources']}"
    return f"{how} {found} are found again when pieces of the recording are resampled."


def duration(tree: dict[str, Any]) -> str:
    """Seconds, or minutes where there are many."""
    if not tree["rate"]:
        return number(tree["n_samples"])
    seconds = tree["n_samples"] / tree["rate"]
    return f"{number(seconds, 3)} s" if seconds < 600 else f"{number(seconds / 60, 3)} min"


def side_by_side(tree: dict[str, Any], played: Sounds) -> Markup:
    """Recorded on the left, found on the right."""
    clicks = " Click into a signal to play from there." if played.seconds else ""
    return element(
        "section",
        element("h2", "Recorded and found"),
        element("p", f"Every signal over its whole length, each in its own units.{clicks}", class_="intro"),
        element("p", played.note, class_="intro") if played.note else None,
        element(
            "div",
            column("What was recorded", tree["channels"], played.channels, tree, neutral=True),
            column("What was found", tree["sources"], played.sources, tree, neutral=False),
            class_="sides",
        ),
        id="signals",
    )


def column(
    title: str, entries: list[dict[str, Any]], addresses: list[Any], tree: dict[str, Any], neutral: bool
) -> Markup:
    """Signals one below the other, with their time below."""
    rows = [
        row(j, entry, address, tree, "cx" if neutral else colour_class(j), neutral)
        for j, (entry, address) in enumerate(zip(entries[:MOST_SHOWN], addresses))
    ]
    more = len(entries) - len(rows)
    return element(
        "div",
        element("h3", title),
        element("ol", rows, class_="stack"),
        ruler(tree),
        element("p", f"and {number(more)} more", class_="quiet") if more else None,
        class_="side panel",
    )


def row(j: int, entry: dict[str, Any], address: str | None, tree: dict[str, Any], kind: str, neutral: bool) -> Markup:
    """Name, envelope, and sound where there is one."""
    name = breakable(entry["name"])
    shown = name if neutral else element("a", name, href=f"#source-{j + 1}")
    seconds = tree["n_samples"] / tree["rate"] if tree["rate"] else None
    sound = element("audio", controls=True, preload="metadata", src=address, data_seconds=seconds,
                    aria_label=f"Play {clip(entry['name'])}") if address else None  # fmt: skip
    return element("li", element("p", shown, class_="name"), trace(entry, kind), sound)


def ruler(tree: dict[str, Any]) -> Markup:
    """Start, middle and end of the time."""
    end = tree["n_samples"] / tree["rate"] if tree["rate"] else float(tree["n_samples"])
    unit = "s" if tree["rate"] else "rows"
    marks = [element("span", f"{number(end * share, 3)} {unit}") for share in (0.0, 0.5, 1.0)]
    return element("p", marks, class_="ruler quiet", aria_hidden="true")


def mixing(tree: dict[str, Any]) -> Markup:
    """The mixing matrix as a table of numbers."""
    head = ["Channel", *(entry["name"] for entry in tree["sources"])]
    rows = [
        [breakable(channel["name"]), *(number(float(weight), 3) for weight in line)]
        for channel, line in zip(tree["channels"], tree["mixing"])
    ]
    caption = (
        "How much of each source is in each channel, in the channel's units: channel = mean + Σ weight × source."
        " mixing.csv holds it with all digits."
    )
    return element(
        "section",
        element("h2", "The mixing matrix"),
        element("p", caption, class_="intro"),
        table("Weights of sources in channels", head, rows, class_="numbers"),
        id="mixing",
    )


def reproduce(tree: dict[str, Any]) -> Markup:
    """Command, version and seed that give the same answer, and what lies beside this page."""
    facts = [
        ("unmix version", tree.get("version")),
        ("Seed", tree.get("seed")),
        ("Files", clip(tree.get("source") or NO_VALUE, 200)),
        ("Method", f"{tree['method']} ({tree['model']})"),
    ]
    beside = ", ".join(clip_files(tree.get("files") or []))
    return element(
        "section",
        element("h2", "Reproduce"),
        element("p", f"{REPRODUCIBLE} Beside this page: {beside}.", class_="intro"),
        element("div", code(tree.get("command") or NO_VALUE), button("Copy", "copy"), class_="command"),
        element("dl", [element("div", element("dt", n), element("dd", v)) for n, v in facts], class_="facts"),
        element(
            "p", "Every number on this page is embedded in it as JSON. ", button("Save the numbers", "save"),
            class_="quiet numbers-note",
        ),
        id="reproduce",
    )  # fmt: skip


def clip_files(files: list[str]) -> list[str]:
    """Many sounds as the first and the last."""
    waves = [name for name in files if name.endswith(".wav")]
    shown = waves if len(waves) < 4 else [f"{waves[0]} … {waves[-1]}"]
    return [*shown, *(name for name in files if name not in waves), "separation.json"]
