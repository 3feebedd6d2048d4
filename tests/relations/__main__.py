"""`python -m tests.relations [--long] [subject …]` tries every relation and prints the table relation × estimator."""

import argparse
import json
import time
from pathlib import Path

from tests.relations.outcome import EVERYTHING, Outcome, try_relation
from tests.relations.relations import RELATIONS

MARKS = {"held": "✓", "does not apply": "–", "broken": "✗"}


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
    given = options.parse_args()
    found = {}
    for subject in given.subjects or EVERYTHING:
        for relation in given.relation or RELATIONS:
            begun = time.perf_counter()
            found[f"{subject}|{relation}"] = result = attempt(subject, relation, given.long)
            spent = time.perf_counter() - begun
            if result.verdict == "broken" or spent > 5:
                print(f"{subject:32} {relation:24} {spent:5.1f} s {result.verdict} {result.why[:400]}", flush=True)
        if given.json:
            given.json.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
