"""Classes and functions of others that a model file may name: nothing is imported because a file says so."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any

_registered: list[Any] = []


def register(*things: Any) -> None:
    """Let files name these classes and functions of your own, by which `load` makes models.

    A file never says where to find code: what it names must be at hand, registered here or given to `load`.

    Examples
    --------
    >>> import numpy as np, tempfile, os, unmix
    >>> from unmix.separation import FastICA
    >>> def quartic(u):
    ...     return u**3, 3 * u**2
    >>> unmix.register(quartic)
    >>> X = np.random.default_rng(0).laplace(size=(200, 2))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "ica.unmix")
    ...     FastICA(fun=quartic, random_state=0).fit(X).save(path)
    ...     unmix.load(path).fun is quartic
    True
    """
    for thing in things:
        check_thing(thing)
    _registered[:] = [*things, *(other for other in _registered if other not in things)]


def check_thing(thing: Any) -> None:
    if not isinstance(thing, type | FunctionType):
        raise TypeError(f"{thing!r} is neither a class nor a function; give the class or function itself")


def name_of(thing: Any) -> str:
    """Which class or function is meant: the module is told to the reader, the name is what counts."""
    return f"{thing.__module__}:{thing.__qualname__}"


def find(name: str, given: Sequence[Any], what: str) -> Any:
    """Among what the caller has handed over, that of the same module, else the only one of this name."""
    module, _, qualname = name.partition(":")
    wanted = type if what == "class" else FunctionType
    same = [thing for thing in (*given, *_registered) if isinstance(thing, wanted) and thing.__qualname__ == qualname]
    exact = [thing for thing in same if thing.__module__ == module]
    if len(found := dict.fromkeys(exact or same)) == 1:
        return next(iter(found))
    short = qualname.split(".")[-1]
    raise ValueError(
        f"it names the {what} {qualname!r} of {module}, which is not on the list of models; if you trust it, call "
        f"load(path, classes=[{short}]) or unmix.register({short}) first"
    )
