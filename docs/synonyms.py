"""Give every page the words of the glossary that lead to it, as tags, which the search looks at first.

python docs/synonyms.py      after a change to the table of synonyms in docs/glossary.md
"""

import re
from collections import defaultdict
from pathlib import Path

FOLDER = Path(__file__).parent
row = re.compile(r"^\| (.+?) \| (\[.+) \|$", re.MULTILINE)
front = re.compile(r"\A---\n(.*?)^---\n+", re.MULTILINE | re.DOTALL)


def words_of_pages(glossary: str) -> dict[str, list[str]]:
    """Page → the words that lead to it, in the order of the table."""
    words = defaultdict(list)
    for named, links in row.findall(glossary.partition("## Synonyms")[2]):
        for page in re.findall(r"\]\((.+?)\)", links):
            words[page] += [word.strip() for word in named.split(",")]
    return dict(words)


def with_tags(page: str, words: list[str]) -> str:
    """The page with these tags in its front matter, and whatever else stood there."""
    found = front.match(page)
    kept = re.sub(r"^tags:.*\n", "", found[1], flags=re.MULTILINE) if found else ""
    return f"---\n{kept}tags: [{', '.join(words)}]\n---\n\n{page[found.end() :] if found else page}"


def main() -> None:
    for name, words in words_of_pages((FOLDER / "glossary.md").read_text(encoding="utf-8")).items():
        path = FOLDER / name
        path.write_text(with_tags(path.read_text(encoding="utf-8"), words), encoding="utf-8")


if __name__ == "__main__":
    main()
