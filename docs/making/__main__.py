"""`python -m docs.making [gallery | tutorials | stories] [name …]` makes pages and pictures anew."""

import sys
from importlib import import_module

KINDS = ("gallery", "tutorials", "stories")


def main(arguments: list[str]) -> None:
    kinds = [word for word in arguments if word in KINDS] or KINDS
    names = [word for word in arguments if word not in KINDS]
    for kind in kinds:
        import_module(f"docs.making.{kind}").make(names)


if __name__ == "__main__":
    main(sys.argv[1:])
