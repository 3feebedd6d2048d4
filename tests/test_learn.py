"""Tutorials and stories show the numbers and pictures that the code gives; `python -m docs.making` renews them."""

import re

import pytest

from docs.making import picture, stories, tutorials

LONG = pytest.mark.long
PAGES = tutorials.pages()
SCRIPTS = stories.scripts()
KEPT = stories.kept()
QUICK = {"roles"}  # tutorials of which a plain `pytest` runs every line
HERE = {"penguins"}  # stories whose data are in the repository
names = [page.stem for page in PAGES]


def test_there_are_five_tutorials_with_pictures_and_something_to_try():
    assert len(PAGES) == 5
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert all(part in text for part in ("**The question.**", "## Try", "*Ten minutes"))
        assert len(re.findall(r"!\[[^\]]+\]\(pictures/", text)) >= 1
    assert sum(path.stat().st_size for path in tutorials.FOLDER.rglob("*.png")) < 600_000


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_the_script_of_a_tutorial_is_that_of_its_page(page):
    kept = (tutorials.SCRIPTS / f"{page.stem}.py").read_text(encoding="utf-8")
    assert kept == tutorials.script(page.read_text(encoding="utf-8"))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "page", [page if page.stem in QUICK else pytest.param(page, marks=LONG) for page in PAGES], ids=names
)
def test_a_tutorial_shows_what_the_code_gives_today(page):
    assert tutorials.run(page)[1] == [], f"run `python -m docs.making tutorials {page.stem}`"


def test_a_stale_number_and_a_stale_picture_on_a_tutorial_are_seen(tmp_path):
    page = tmp_path / "page.md"
    (tmp_path / "pictures").mkdir()
    drawing = ">>> import matplotlib.pyplot as plt\n>>> line = plt.plot([1, {}])\n"
    text = "# A page\n\n```pycon\n>>> 1 + 1\n{}\n" + drawing + "\n```\n\n![a line](pictures/line.png)\n"
    page.write_text(text.format(2, 2), encoding="utf-8")
    picture.begin()
    import matplotlib.pyplot as plt

    plt.plot([1, 2])
    picture.save(plt.gcf(), tmp_path / "pictures" / "line.png")
    assert tutorials.run(page) == (text.format(2, 2), [])
    page.write_text(text.format(3, -2), encoding="utf-8")
    new, stale = tutorials.run(page)
    assert len(stale) == 2 and "gave 2, not 3" in stale[0] and "pictures/line.png differs" in stale[1]
    assert new == text.format(2, -2)


def test_there_are_eight_stories():
    assert len(SCRIPTS) == 8 and set(KEPT) == {script.stem for script in SCRIPTS}
    for script in SCRIPTS:
        assert script.with_suffix(".png").stat().st_size < 200_000
        assert "**Finding.**" in script.with_suffix(".md").read_text(encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_story_shows_what_its_script_printed(script):
    page = script.with_suffix(".md").read_text(encoding="utf-8")
    assert stories.stale(page, KEPT[script.stem]["printed"]) == []
    assert f"{script.stem}.png" in page


def test_a_stale_number_of_a_story_is_seen():
    printed = KEPT["access"]["printed"]
    page = (stories.FOLDER / "access.md").read_text(encoding="utf-8")
    assert stories.stale(page.replace("**14** roles", "**13** roles"), printed) == ["13"]
    assert len(stories.stale(page.replace("are 20 roles", "are 21 roles"), printed)) == 1


def again(script):
    try:
        shown = stories.run(script)
    except stories.DataAreAbsent as reason:
        pytest.skip(str(reason))
    kept, renew = KEPT[script.stem], f"run `python -m docs.making stories {script.stem}`"
    assert shown.said == {"printed": kept["printed"], "words": kept["words"]}, renew
    assert picture.difference(shown.figure, script.with_suffix(".png")) <= picture.MOST_DIFFERENT, renew


@LONG
@pytest.mark.slow_without_jit
@pytest.mark.filterwarnings("ignore::unmix.separation.GaussianSourcesWarning")  # the story tells of it
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("script", [one for one in SCRIPTS if one.stem not in HERE], ids=lambda script: script.stem)
def test_a_story_on_data_beside_the_project_can_be_told_again(script, shared_data):
    again(script)


@LONG
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("script", [one for one in SCRIPTS if one.stem in HERE], ids=lambda script: script.stem)
def test_a_story_on_data_of_the_repository_can_be_told_again(script):
    again(script)
