"""A separation on one page: tracks to play, sources to keep or drop, and the remix of those that are kept."""

from __future__ import annotations

from typing import Any

from unmix.report.drawing.marks import colour_class
from unmix.report.drawing.markup import Markup, element
from unmix.report.drawing.numbers import breakable, clip, count, is_number, number, percent
from unmix.report.separation.cards import channels, source_cards
from unmix.report.separation.figures import trace
from unmix.report.separation.page import headline, mixing, reproduce, ruler
from unmix.studio.pages.files import file_list, files_section
from unmix.studio.pages.frame import page
from unmix.studio.store.workspace import Record

MOST_TRACKS = 64
FILES = {
    "sources.csv": "one column a source",
    "mixing.csv": "the weights, with all digits",
    "separation.json": "every number of this page",
    "model.unmix": "the fitted model",
    "report.html": "the report, one file to send",
}


def remix_page(run: Record, table: Record, tree: dict[str, Any], found: dict[str, Any], keep: list[int]) -> str:
    for part in ("channels", "sources"):
        for entry, shape in zip(tree[part], found[part]):
            entry["trace"] = shape
    sections: list[tuple[str, str, Markup | None]] = [
        ("tracks", "Tracks", tracks(run, tree, keep)),
        ("remix", "Remix", remix(run, tree, found["remix"], keep)),
        ("sources", "Sources", source_cards(tree)),
        ("mixing", "Mixing", mixing(tree)),
        ("channels", "Channels", channels(tree)),
        ("files", "Files", files(run, tree)),
        ("reproduce", "Reproduce", reproduce(tree)),
    ]
    address = f"/tables/{run['of']}/signals" + (f"?{run['query']}" if run["query"] else "")
    return page(
        count(tree["n_sources"], "source"),
        headline=headline(tree),
        sections=sections,
        source=clip(table["file"], 60),
        numbers=tree,
        styles=("separation.css",),
        scripts=("actions.js", "sound.js"),
        modules=("remix.js",),
        tools=element("a", "Settings", href=address, class_="tool"),
    )


def tracks(run: Record, tree: dict[str, Any], keep: list[int]) -> Markup:
    """Recorded on the left, found on the right, each source with a switch."""
    words = "Every signal over its whole length, each in its own units."
    words += " Click into a signal to play from there." if tree["audio"] else ""
    recorded = [track(run, tree, "channel", j, one, None) for j, one in enumerate(tree["channels"][:MOST_TRACKS])]
    sources = [track(run, tree, "source", j, one, keep) for j, one in enumerate(tree["sources"][:MOST_TRACKS])]
    return element(
        "section",
        element("h2", "Recorded and found"),
        element("p", words, class_="intro"),
        element(
            "div",
            element("div", element("h3", "What was recorded"), element("ol", recorded, class_="stack"), ruler(tree),
                    class_="side panel"),
            element("div", element("h3", "What was found"), element("ol", sources, class_="stack"), ruler(tree),
                    class_="side panel"),
            class_="sides",
        ),
        id="tracks",
    )  # fmt: skip


def track(
    run: Record, tree: dict[str, Any], what: str, j: int, entry: dict[str, Any], keep: list[int] | None
) -> Markup:
    name, shown = entry["name"], breakable(entry["name"])
    label: Markup = element("p", shown, class_="name")
    if keep is not None:
        box = element("input", type="checkbox", name="keep", value=j + 1, checked=j + 1 in keep)
        label = element("label", box, " keep ", shown, class_="name switch")
    address = f"/runs/{run['id']}/sound/{what}-{j + 1}.wav"
    shape = trace(entry, "cx" if keep is None else colour_class(j))
    return element("li", label, shape, player(tree, address, name))


def player(tree: dict[str, Any], address: str, name: str) -> Markup | None:
    if not tree["audio"]:
        return None
    seconds = tree["n_samples"] / tree["rate"]
    return element("audio", controls=True, preload="none", src=address, data_seconds=seconds,
                   aria_label=f"Play {clip(name)}")  # fmt: skip


def remix(run: Record, tree: dict[str, Any], made: list[dict[str, Any]], keep: list[int]) -> Markup:
    """The channels with the kept sources alone; replaced when a switch changes."""
    asked = f"?keep={'.'.join(map(str, keep))}"
    dropped = [j for j in range(1, tree["n_sources"] + 1) if j not in keep]
    rows = [remixed(run, tree, j, one, asked) for j, one in enumerate(made[:MOST_TRACKS])] if keep else []
    table = element("a", "Save the remix as a table", href=f"/runs/{run['id']}/remix.csv{asked}", download=True,
                    class_="tool")  # fmt: skip
    return element(
        "section",
        element("h2", "The remix"),
        element("p", in_words(dropped, bool(keep)), class_="intro", role="status"),
        element("div", element("ol", rows, class_="stack"), ruler(tree), class_="panel") if rows else None,
        element("p", table, class_="actions") if rows else None,
        in_python(keep, dropped) if dropped and keep else None,
        id="remix",
    )


def in_words(dropped: list[int], some: bool) -> str:
    if not some:
        return "Every source is dropped, so nothing is left; keep at least one."
    if not dropped:
        return "With every source kept, the remix is what was recorded. Drop sources above to hear the rest."
    named = ", ".join(map(str, dropped))
    return f"Without source{'s' * (len(dropped) > 1)} {named}: each channel is its mean and the sources that are kept."


def remixed(run: Record, tree: dict[str, Any], j: int, entry: dict[str, Any], asked: str) -> Markup:
    share = f", {percent(entry['share'])} of its variance" if is_number(entry["share"]) else ""
    address = f"/runs/{run['id']}/sound/remix-{j + 1}.wav{asked}"
    save = element("a", "Save", href=address, download=f"remix-{j + 1}.wav", class_="tool",
                   aria_label=f"Save {clip(entry['name'])} as remixed") if tree["audio"] else None  # fmt: skip
    name = element("p", breakable(entry["name"]), element("span", share, class_="quiet"), " ", save, class_="name")
    return element("li", name, trace(entry, "cx"), player(tree, address, f"{entry['name']} as remixed"))


def in_python(keep: list[int], dropped: list[int]) -> Markup:
    code = (
        "import unmix\nmodel = unmix.load('model.unmix')\nsources = model.transform(signals.values)\n"
        f"sources[:, {[j - 1 for j in dropped]}] = 0\nremix = model.inverse_transform(sources)"
    )
    return element("div", element("code", code), class_="command")


def files(run: Record, tree: dict[str, Any]) -> Markup:
    sounds = [f"source-{j + 1}.wav" for j in range(tree["n_sources"])] if tree["audio"] else []
    named = dict.fromkeys(sounds, "a source, whole and as loud as it gets") | {
        name: words for name, words in FILES.items() if name != "sources.csv" or not tree["audio"]
    }
    words = f"{number(len(named))} files, as unmix separate writes them."
    return files_section(run, element("p", words, class_="intro"), file_list(named, f"/runs/{run['id']}/files"))
