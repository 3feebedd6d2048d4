"""`unmix select TABLE` says how many clusters or components there are, and how sure that is."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unmix.cli.terminal.console import DASK, SEED, clipped, on_cluster, progress, refusals, user_errors
from unmix.cli.terminal.lean_start import load_scikit_learn

if TYPE_CHECKING:
    from unmix.validation.selection.result import Selection

MODELS = {"kmeans": ("cluster", "KMeans"), "mixture": ("density", "GaussianMixture"), "pca": ("decomposition", "PCA"),
          "nmf": ("decomposition", "NMF")}  # fmt: skip
CLUSTERS = ("kmeans", "mixture")


@click.command(short_help="Choose a number of clusters or components.")
@click.argument("table")
@click.option(
    "--model", type=click.Choice(list(MODELS)), default="kmeans", show_default=True,
    help="What is fitted: K-means, a Gaussian mixture, PCA or NMF.",
)  # fmt: skip
@click.option("--most", type=click.IntRange(min=1), default=10, show_default=True, help="Largest number that is tried.")
@click.option("--use", multiple=True, metavar="COLUMN", help="Only this column, and others given so.")
@click.option("--max-rows", type=click.IntRange(min=2), default=50_000, show_default=True, help="Rows that are judged.")
@click.option("--cache", type=click.Path(path_type=Path), help="Folder for finished parts, to go on where it ended.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File for the chosen model.")
@SEED
@DASK
def select(
    table: str, model: str, most: int, use: tuple[str, ...], max_rows: int, cache: Path | None, as_json: bool,
    out: Path | None, seed: int, dask: str | None,
) -> None:  # fmt: skip
    """Say how many clusters the rows of TABLE form, or how many components they have, and how sure that is.

    TABLE is a file of numbers, a folder or a pattern of files. Of more than --max-rows rows so many are drawn at random
    and judged; the chosen model is fitted to all. With --dask the workers of a cluster draw the rows, try the models
    and fit the chosen one by passes over their blocks; the answer is the same.

    \b
    unmix select table.csv
    unmix select sales/ --model mixture --most 6 --dask tcp://10.0.0.1:8786
    """
    load_scikit_learn()
    with user_errors(), on_cluster(dask), refusals():
        from unmix.shell.persistence import save
        from unmix.validation import select as select_model

        with progress("select") as say:
            say("trying models")
            source, numbers = numbers_in(table, use, model, most)
            found = select_model(
                estimator_of(model), source, numbers, random_state=seed, cache=cache, max_rows=max_rows
            )
        if out is not None:
            save(found.best_estimator, out)
        click.echo(json.dumps(as_tree(found), ensure_ascii=False, indent=1) if as_json else in_lines(found))
        if out is not None and not as_json:
            click.echo(f"\nWritten to {out}")


def estimator_of(model: str) -> Any:
    family, name = MODELS[model]
    return getattr(import_module(f"unmix.{family}"), name)()


def numbers_in(table: str, use: tuple[str, ...], model: str, most: int) -> tuple[Any, range]:
    """The columns asked for, or all, and what is tried: nothing too, and no more components than there are columns."""
    from unmix.io.data_set.data_set import DataSet
    from unmix.io.dispatch import as_blocks

    source: Any = DataSet(table, columns=list(use)) if use else table
    try:
        width = as_blocks(source).shape[1]
    except TypeError as error:  # a column of text
        raise ValueError(str(error)) from None
    return source, range(1, most + 1) if model in CLUSTERS else range(min(most, width) + 1)


def as_tree(found: Selection) -> dict[str, Any]:
    """Plain values; None for what is no number."""
    from unmix.exploration.findings.json_values import json_value

    chances = found.probabilities
    tree: dict[str, Any] = {"best_params": found.best_params, "verdict": found.verdict, "choices": found.choices}
    tree["probabilities"] = None if chances is None else {str(k): p for k, p in chances.items()}
    return dict(json_value(tree | {"table": found.table, "notes": found.notes}))


def in_lines(found: Selection) -> str:
    """The verdict, what each criterion prefers, and notes."""
    preferred = [
        f"  {name}: {', '.join(map(str, choice.values())) or 'one cluster'}"
        for name, choice in found.choices.items()
        if choice is not None
    ]
    blocks = [[found.verdict], ["Preferred by criterion", *preferred] if preferred else [], found.notes]
    return "\n\n".join("\n".join(map(clipped, block)) for block in blocks if block)
