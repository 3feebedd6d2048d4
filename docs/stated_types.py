"""The reference shows type and default of a parameter as its docstring states them.

griffe would read `{"a", "b"} or array, default=None` as the tuple (a, b) with the default "a". A type that is no Python
it leaves as it is; so the braces go, and a character without width keeps what remains from being read.
"""

import re

import griffe

STATED = re.compile(r"^(?P<names> *[\w*, ]+ : )(?P<type>.*[\"'{,].*)$", re.MULTILINE)
NO_WIDTH = "\u200b"


def stated(docstring: str) -> str:
    return STATED.sub(lambda found: found["names"] + NO_WIDTH + re.sub("[{}]", "", found["type"]), docstring)


class StatedTypes(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        if obj.docstring:
            obj.docstring.value = stated(obj.docstring.value)
