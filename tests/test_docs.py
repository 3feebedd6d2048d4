"""Every Python example on the README and the documentation pages runs, in the order of the page.

Blocks fenced as ```{.python .on-a-cluster} run on a small one, with the tables they speak of; ```{.python .not-run}
shows a file of the source. The tutorials, whose pictures are compared too, are run by test_learn.py.
"""

import doctest
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest

root = Path(__file__).parents[1]
fence = re.compile(r"^```(?:python|pycon|py)\b[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
pages = [
    page
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    if page.parent != root / "docs" / "learn" and fence.search(page.read_text(encoding="utf-8"))
]
options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run(code: str, name: str, line: int, names: dict) -> None:
    """A block with prompts is checked against its answers, one without is executed."""
    if ">>>" not in code:
        exec(compile("\n" * line + code, name, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(code, names, name, name, line)
    test.globs = names  # not a copy: what a page defines can be pickled, as at a prompt
    runner = doctest.DebugRunner(optionflags=options)
    try:
        runner.run(test, clear_globs=False)
    except doctest.DocTestFailure as failure:
        where = line + failure.example.lineno + 1
        pytest.fail(
            f"{name}:{where}: {failure.example.source}gave {failure.got}not {failure.example.want}", pytrace=False
        )
    except doctest.UnexpectedException as failure:
        raise failure.exc_info[1] from None


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(root)))
def test_examples_on_the_page_run(page, tmp_path, monkeypatch):
    text = page.read_text(encoding="utf-8")
    (tmp_path / "examples").symlink_to(root / "examples")
    monkeypatch.chdir(tmp_path)
    prompt = ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", prompt)
    for block in fence.finditer(text):
        run(block[1], str(page.relative_to(root)), text[: block.start(1)].count("\n"), vars(prompt))


@pytest.mark.long
@pytest.mark.parametrize("page", ["execution.md", "scale.md"])
def test_examples_for_a_cluster_run_on_one(page, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="the cluster's half needs the extra [dask]")
    text = (root / "docs" / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```{\.python \.on-a-cluster}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    monkeypatch.chdir(tmp_path)
    with (
        distributed.LocalCluster(1, processes=False, dashboard_address=":0") as cluster,
        cluster.get_client() as client,
    ):
        names = {"client": client, **tables_for_a_cluster(tmp_path)}
        for block in blocks:
            exec(compile(block, page, "exec"), names)


def tables_for_a_cluster(folder: Path) -> dict:
    import dask.array

    import unmix
    from unmix.cluster import KMeans
    from unmix.validation import select

    rng = np.random.default_rng(0)
    X = rng.normal(size=(240, 2)) + rng.integers(0, 2, (240, 1)) * 9.0
    table = pl.DataFrame(X, schema=["price", "weight"])
    table.write_parquet(folder / "table.parquet")
    for path in ("sales/year=2024", "sales/year=2025", "more-sales/year=2026"):
        (folder / path).mkdir(parents=True)
        table.write_parquet(folder / path / "part-0.parquet")
    (folder / "grants").mkdir()
    grants = [(f"u{i}", f"p{i % 3}") for i in range(9)]
    pl.DataFrame(grants, schema=["user", "permission"], orient="row").write_parquet(
        folder / "grants" / "part-0.parquet"
    )
    given = {"X": X, "dask_array": dask.array.from_array(X), "model": KMeans(2)}
    return given | {"unmix": unmix, "KMeans": KMeans, "select": select}


def test_a_block_with_prompts_says_so():
    """Then answers are not coloured as code, and the button that copies a block leaves them out."""
    prompted = re.compile(r"^```(\S*)[^\n]*\n(?=>>> )", re.MULTILINE)
    fenced = {tongue for page in pages for tongue in prompted.findall(page.read_text(encoding="utf-8"))}
    assert fenced == {"pycon"}


def test_the_table_of_costs_and_steps_is_that_of_the_code():
    spec = importlib.util.spec_from_file_location("cost_table", root / "docs" / "cost_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.table() in module.PAGE.read_text(encoding="utf-8")
