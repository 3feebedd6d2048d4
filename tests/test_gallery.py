"""Every example of the gallery prints and draws what its page shows; `python -m docs.making gallery` renews it."""

import shutil

import pytest

from docs.making import gallery, picture

EXAMPLES = gallery.examples()
KEPT = gallery.kept()
MOST_BYTES = 60_000  # of one picture
ids = [example.key for example in EXAMPLES]


def test_there_are_examples_of_every_family():
    assert len(EXAMPLES) >= 24
    assert {example.path.parent.name for example in EXAMPLES} == set(gallery.FAMILIES)


def test_pages_are_those_of_the_scripts():
    assert (gallery.FOLDER / "index.md").read_text(encoding="utf-8") == gallery.overview(EXAMPLES)
    pages = {path.with_suffix(".py") for path in gallery.FOLDER.glob("*/*.md")}
    assert pages == {example.path for example in EXAMPLES}
    for example in EXAMPLES:
        printed = "\n".join(KEPT[example.key]["printed"])
        assert example.path.with_suffix(".md").read_text(encoding="utf-8") == gallery.page(example, printed)


@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_an_example_is_small_and_says_what_it_shows(example):
    lines = example.path.read_text(encoding="utf-8").splitlines()
    code = lines[lines.index('"""', 1) + 1 :]
    assert 10 <= len([line for line in code if line.strip()]) <= 40
    assert example.title and example.text and (gallery.ROOT / "docs" / example.more).exists()
    assert example.path.with_suffix(".png").stat().st_size < MOST_BYTES


def test_all_pictures_together_are_small():
    assert sum(path.stat().st_size for path in gallery.FOLDER.glob("*/*.png")) < 1_500_000


@pytest.mark.long
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("example", EXAMPLES, ids=ids)
def test_an_example_shows_what_the_code_gives_today(example):
    shown = gallery.run(example)
    renew = f"run `python -m docs.making gallery {example.path.stem}`"
    assert shown.said == KEPT[example.key], renew
    assert picture.difference(shown.figure, example.path.with_suffix(".png")) <= picture.MOST_DIFFERENT, renew


def test_a_stale_picture_and_a_stale_number_are_seen(tmp_path):
    """The picture of another seed, and a page with another number, fail the comparisons above."""
    example = next(one for one in EXAMPLES if one.path.stem == "forgetting")
    shown = gallery.run(example)
    kept = example.path.with_suffix(".png")
    assert picture.difference(shown.figure, kept) <= picture.MOST_DIFFERENT
    copy = shutil.copy(kept, tmp_path / "other.png")
    line = shown.figure.axes[0].lines[0]
    line.set_ydata(line.get_ydata() * 3)
    assert picture.difference(shown.figure, copy) > picture.MOST_DIFFERENT
    assert gallery.page(example, shown.printed.replace("22 steps", "23 steps")) != gallery.page(example, shown.printed)
    assert gallery.Shown(shown.printed.replace("0.19", "0.20"), shown.figure).said != KEPT[example.key]
