"""`unmix separate FILE …` takes recordings apart into their sources and writes these, the mixing and a report.

Exit codes: 0 answered, 2 something about the input (one sentence says what), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import re
import shlex
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from unmix.cli.terminal.console import FORCE, SEED, Finite, progress, refusals, user_errors
from unmix.cli.terminal.lean_start import load_scikit_learn

NOT_CONVERGED = "The search for sources did not converge: look at their stability, or try another --method."
METHODS = ("fastica", "infomax", "jade", "second_order")


@click.command(short_help="Separate the sources mixed in signals.")
@click.argument("files", nargs=-1, required=True)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder for the results.  [default: unmix-NAME]")
@click.option(
    "--method", type=click.Choice(METHODS), default="fastica", show_default=True,
    help="How sources are separated: by their distributions, or (second_order) by their autocorrelations.",
)  # fmt: skip
@click.option("--n-components", type=click.IntRange(min=1), help="Number of sources.  [default: as many as there are]")
@click.option("--rate", type=Finite(min=0, min_open=True), help="Samples per second, if no column is the time.")
@SEED
@FORCE
def separate(files: tuple[str, ...], out: Path | None, force: bool, **options: Any) -> None:
    """Separate the sources mixed in FILES: one wav or table with several channels, or several wav files.

    Columns of a CSV, TSV, Parquet or npy file are channels; a time column is recognised and left out. Sound comes out
    as sound (source-1.wav, …), tables as sources.csv; with mixing.csv, separation.json, model.unmix and report.html.

    \b
    unmix separate left.wav right.wav -o voices
    unmix separate ecg.csv --n-components 5
    unmix separate sensors.npy --rate 100 --method second_order
    """
    directory = out or Path(f"unmix-{Path(files[0]).name.split('.')[0] or 'separation'}")
    with user_errors():
        load_scikit_learn()
        from unmix.exploration.findings.output import check_directory
        from unmix.separation.recording.summary import summary

        check_directory(directory, results(directory), force)
        with progress("separate") as say, refusals():
            tree, parts = run(files, options, say)
            say("writing the report")
            written = save(tree, parts, directory, files)
        click.echo(summary(tree))
        click.echo(f"\nWritten to {directory}: {names(written)}")


def run(
    files: tuple[str, ...], options: dict[str, Any], say: Callable[[str], None], checkpoint: Path | None = None
) -> tuple[dict[str, Any], tuple[Any, Any, Any]]:
    """Read, separate, describe; the tree of everything found, with model, signals and sources.

    `checkpoint` is the file from which a search that was cut off goes on.
    """
    from unmix import __version__, execution
    from unmix.separation.recording.document import document
    from unmix.separation.recording.read_signals import read_signals
    from unmix.separation.recording.recurrence import recurrence
    from unmix.separation.recording.signals import check

    say("reading the signals")
    signals = read_signals(list(files), options["rate"])
    check(signals, gaps=options["method"] == "second_order")
    n, d = signals.values.shape
    if (options["n_components"] or 1) > d:
        raise ValueError(
            f"--n-components {options['n_components']} is more than the {d} channels; ask for at most {d}."
        )
    say(f"separating {d} channels of {n:,} samples")
    with execution(checkpoint=checkpoint):
        model, messages = fit(signals.values, options)
    sources = model.transform(signals.values)
    say("estimating the stability of the sources")
    stable = recurrence(model, signals.values, options["seed"])
    tree = document(
        model, signals, sources, stable, messages,
        version=__version__, command=command(files, options), seed=options["seed"], method=options["method"],
        source=", ".join(Path(file).name for file in files),
    )  # fmt: skip
    return tree, (model, signals, sources)


def fit(values: Any, options: dict[str, Any]) -> tuple[Any, list[str]]:
    """The fitted model, and what it warned of; Gaussian sources are reported otherwise."""
    from sklearn.exceptions import ConvergenceWarning

    from unmix.separation import GaussianSourcesWarning

    with warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        model = estimator(options).fit(values)
    kept = [entry for entry in messages if not issubclass(entry.category, GaussianSourcesWarning)]
    return model, [
        NOT_CONVERGED if issubclass(entry.category, ConvergenceWarning) else str(entry.message)
        for entry in kept
        if issubclass(entry.category, UserWarning)
    ]


def estimator(options: dict[str, Any]) -> Any:
    """The estimator behind a method's name."""
    classes: Any = import_module("unmix.separation")
    k, seed = options["n_components"], options["seed"]
    if options["method"] == "second_order":
        return classes.SecondOrderICA(k, missing="ignore")
    if options["method"] == "jade":
        return classes.JADE(k)
    if options["method"] == "infomax":
        return classes.Infomax(k, random_state=seed)
    return classes.FastICA(k, random_state=seed, max_iter=1000, tol=1e-6)


def results(directory: Path) -> Any:
    """Sources an earlier run did not list are somebody else's."""
    from unmix.core.storage.folder import Results
    from unmix.separation.recording.folder import stale_files

    listed = [re.escape(path.name) for path in stale_files(directory, [])]
    return Results(r"separation\.json", "|".join([r"report\.html|mixing\.csv|model\.unmix|separation\.json", *listed]))


def save(tree: dict[str, Any], parts: tuple[Any, Any, Any], directory: Path, files: tuple[str, ...]) -> list[str]:
    """All files into a scratch folder, then all put in their place; a file that was read is never written over."""
    from unmix.core.storage.folder import replacing_folder
    from unmix.exploration.findings.output import told_of
    from unmix.report.separation.page import write
    from unmix.separation.recording.folder import stale_files, write_folder

    with told_of(directory):
        with replacing_folder(directory, results(directory)) as scratch:
            written = write_folder(tree, *parts, scratch)
            written.append(write(tree, parts, scratch / "report.html"))
            stale = stale_files(directory, written)
            check_inputs([directory / path.name for path in (*written, *stale)], files)
        for path in stale:  # only now that the new ones are there
            path.unlink(missing_ok=True)
    return [path.name for path in written]


def check_inputs(written: list[Path], files: tuple[str, ...]) -> None:
    from unmix.io.base.errors import TableError

    given = {Path(file).resolve() for file in files}
    for path in written:
        if path.resolve() in given:
            raise TableError(f"{path} is read and would be overwritten; give another folder.")


def names(written: list[str]) -> str:
    """The files, many sounds in short."""
    sounds = [name for name in written if name.endswith(".wav")]
    shown = sounds if len(sounds) < 4 else [f"{sounds[0]} … {sounds[-1]}"]
    return ", ".join(["report.html", *shown, *(n for n in written if n not in sounds and n != "report.html")])


def command(files: tuple[str, ...], options: dict[str, Any]) -> str:
    """The command line that gives the same answer."""
    words = ["unmix", "separate", *files, "--method", options["method"], "--seed", str(options["seed"])]
    words += ["--n-components", str(options["n_components"])] if options["n_components"] else []
    words += ["--rate", f"{options['rate']:.10g}"] if options["rate"] else []
    return shlex.join(words)
