"""`python -m tests.relations [--long] [subject …]` tries every relation and prints where one is broken.

With `--page docs/relations.md` the table on that page is written anew; `--before FILE` marks what an earlier run, kept
by `--json FILE`, found broken.
"""

import argparse
import json
import time
from pathlib import Path

from tests.relations.outcome import EVERYTHING, Outcome, try_relation
from tests.relations.page import as_markdown, put_into
from tests.relations.relations import RELATIONS


def attempt(subject: str, relation: str, long: bool) -> Outcome:
    try:
        return try_relation(subject, relation, long)
    except Exception as error:  # a table is wanted whatever happens; the tests let it through
        return Outcome("broken", f"{type(error).__name__}: {error}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("subjects", nargs="*")
    options.add_argument("--relation", action="append")
    options.add_argument("--long", action="store_true")
    options.add_argument("--json", type=Path)
    options.add_argument("--page", type=Path)
    options.add_argument("--before", type=Path)
    given = options.parse_args()
    found = {}
    for subject in given.subjects or EVERYTHING:
        for relation in given.relation or RELATIONS:
            begun = time.perf_counter()
            found[subject, relation] = result = attempt(subject, relation, given.long)
            spent = time.perf_counter() - begun
            if result.verdict == "broken" or spent > 5:
                print(f"{subject:32} {relation:24} {spent:5.1f} s {result.verdict} {result.why[:400]}", flush=True)
    if given.json:
        given.json.write_text(json.dumps([[*cell, *outcome] for cell, outcome in found.items()]))
    if given.page:
        before = json.loads(given.before.read_text()) if given.before else []
        earlier = {(subject, relation): Outcome(*outcome) for subject, relation, *outcome in before}
        given.page.write_text(put_into(given.page.read_text(), as_markdown(found, earlier)))


if __name__ == "__main__":
    main()
