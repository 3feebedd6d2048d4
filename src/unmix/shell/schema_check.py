"""Fitted attributes read from a file, held to the schema of their class before any of them is used.

Compiled code does not look where it reads: it may be handed only arrays whose shapes agree. The kinds are

``f`` floats of 4 or 8 bytes · ``i`` integers · ``b`` truths · ``U`` texts · ``rows`` floats, dense or sparse · ``i<d``
integers from 0 below d · ``starts<m`` integers that rise from 0 to m · ``number`` · ``integer`` · ``integer<n`` from 0
below n · ``size k`` an integer that is k · ``flag`` · ``text`` · ``dtype`` of floats · ``plain`` any of these, or
nothing · ``list m`` · ``dict`` · ``none`` · ``loss`` · ``constraint``
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix.constraints import Constraint
from unmix.losses.base import Loss
from unmix.shell.fitted_schema import SCHEMAS, By

Sizes = dict[str, int]


def check_fitted(name: str, fitted: dict[str, Any], parameters: dict[str, Any], *, others: bool = False) -> None:
    """ValueError unless the attributes are those of the class ``name``; ``others`` of a subclass are not looked at."""
    schema = SCHEMAS[name]
    entries = [
        (path, value, schema_at(schema, path, parameters))
        for path, value in walk(fitted)
        if not (others and path.split(".")[0] not in schema)
    ]
    if entries and "n_features_in_" not in fitted:
        raise ValueError("it does not say how many columns the model was fitted to")
    sizes: Sizes = {}
    # what can be one thing only settles the numbers that the others are held to
    for path, value, spec in sorted(entries, key=lambda entry: (entry[0] != "n_features_in_", uncertain(entry[2]))):
        if not any(agrees(value, alternative.split(), path, sizes) for alternative in spec.split("|")):
            raise ValueError(f"its {path} is {describe(value)}, and a {name} has {expected(spec, sizes)} there")
    if name in RULES:
        RULES[name](fitted, sizes)


def uncertain(spec: str) -> int:
    return 2 * spec.count("|") + spec.count("<")


def walk(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value of a tree of dicts and lists, with the names that lead to it."""
    if path:
        yield path, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, inner in inside:
        yield from walk(inner, f"{path}.{key}" if path else str(key))


def schema_at(schema: dict[str, str | By], path: str, parameters: dict[str, Any]) -> str:
    first, *rest = path.split(".")
    for known in (".".join([first, *rest]), *(".".join(names) for names in starred(first, rest))):
        if known in schema:
            spec = schema[known]
            return spec if isinstance(spec, str) else chosen(spec, parameters.get(spec.parameter))
    raise ValueError(f"its {path} is nothing such a model has")


def starred(first: str, rest: list[str]) -> Iterator[list[str]]:
    """The path with stars for numbers, then for the last name, then for all but the first."""
    numbers = ["*" if name.isdigit() else name for name in rest]
    yield [first, *numbers]
    yield [first, *numbers[:-1], "*"]
    yield [first, *numbers[:-2], "*", "*"]


def chosen(by: By, parameter: Any) -> str:
    return by.shapes.get(parameter, by.otherwise) if isinstance(parameter, str) else by.otherwise


def agrees(value: Any, spec: list[str], path: str, sizes: Sizes) -> bool:
    kind, *dimensions = spec
    name, _, bound = kind.partition("<")
    if not KINDS[name](value):
        return False
    shape = shape_of(name, value)
    if len(shape) != len(dimensions):
        return False
    trial = dict(sizes)
    if not all(fits(dimension, length, path, trial) for dimension, length in zip(dimensions, shape, strict=True)):
        return False
    sizes |= trial
    return not bound or within(name, value, bound, sizes)


def shape_of(kind: str, value: Any) -> tuple[int, ...]:
    if kind == "size":
        return (int(value),)
    if kind == "list":
        return (len(value),)
    return () if kind in SCALARS else tuple(value.shape)


def fits(dimension: str, length: int, path: str, sizes: Sizes) -> bool:
    """Whether a length is what its letter stands for; the first one met says what that is."""
    if dimension == "_" or length < 0:
        return length >= 0
    if dimension.isdigit():
        return length == int(dimension)
    name, _, more = dimension.partition("+")
    if name.endswith("*"):
        name += next(part for part in reversed(path.split(".")) if part.isdigit())
    return sizes.setdefault(name, length - int(more or 0)) + int(more or 0) == length


def within(kind: str, value: Any, bound: str, sizes: Sizes) -> bool:
    """Whether numbers are places in something of the length ``bound``; if that is not known yet, they settle none."""
    numbers = np.asarray(value)
    most = sizes.setdefault(bound, int(numbers[-1]) if kind == "starts" and numbers.size else 0)
    if kind == "starts":
        return bool(numbers.size and numbers[0] == 0 and numbers[-1] == most and (np.diff(numbers) >= 0).all())
    return not numbers.size or bool(numbers.min() >= 0 and numbers.max() < most)


def is_array(kinds: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, np.ndarray) and value.dtype.kind in kinds


def is_float_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype in (np.float32, np.float64)


def is_rows(value: Any) -> bool:
    return is_float_array(value.data if isinstance(value, csr_array) else value)


def is_number(value: Any) -> bool:
    return isinstance(value, Real) and not is_flag(value)


def is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not is_flag(value)


def is_flag(value: Any) -> bool:
    return isinstance(value, bool | np.bool_)


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_dtype(value: Any) -> bool:
    return value in ("<f4", "<f8", ">f4", ">f8")


def is_plain(value: Any) -> bool:
    return value is None or is_flag(value) or is_number(value) or is_text(value)


KINDS: dict[str, Callable[[Any], bool]] = {
    "f": is_float_array,
    "i": is_array("iu"),
    "b": is_array("b"),
    "U": is_array("UO"),
    "rows": is_rows,
    "starts": is_array("iu"),
    "number": is_number,
    "integer": is_integer,
    "size": is_integer,
    "flag": is_flag,
    "text": is_text,
    "dtype": is_dtype,
    "plain": is_plain,
    "list": lambda value: isinstance(value, list | tuple),
    "dict": lambda value: isinstance(value, dict),
    "none": lambda value: value is None,
    "loss": lambda value: isinstance(value, Loss),
    "constraint": lambda value: isinstance(value, Constraint),
}
SCALARS = ("number", "integer", "flag", "text", "dtype", "plain", "dict", "none", "loss", "constraint")


def describe(value: Any) -> str:
    if isinstance(value, np.ndarray | csr_array):
        return f"an array of {value.dtype} of shape {tuple(value.shape)}"
    if isinstance(value, dict | list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    return f"{value!r:.40}"


def expected(spec: str, sizes: Sizes) -> str:
    known = ", ".join(f"{name} = {size}" for name, size in sizes.items() if name in spec.split())
    return f"{spec!r}" + f" ({known})" * bool(known)


def histogram_rule(fitted: dict[str, Any], sizes: Sizes) -> None:
    """The edges of all columns stand one after the other, one more than there are bins; cells are numbered."""
    bins = [int(count) for count in fitted.get("n_bins_", ())]
    if "edges_" in fitted and (min(bins, default=0) < 1 or sum(bins) + len(bins) != sizes["edges"]):
        raise ValueError(f"its n_bins_ {bins} do not go with {sizes['edges']} edges_")
    cells = fitted.get("cells_", np.zeros(0, int))
    if cells.size and (cells.min() < 0 or int(cells.max()) >= math.prod(bins)):
        raise ValueError("its cells_ lie outside the histogram")


def factorization_rule(fitted: dict[str, Any], sizes: Sizes) -> None:
    """Every column belongs to one group, and takes as many columns of the components as its loss needs."""
    groups = fitted.get("groups_")
    if groups is None:
        return
    columns = np.concatenate([group["columns"] for group in groups])
    width = sum(int(group["loss"].width) * len(group["columns"]) for group in groups)
    if sorted(columns.tolist()) != list(range(sizes["d"])) or width != sizes.get("w", width):
        raise ValueError("its groups_ are not those of its columns and components")


RULES: dict[str, Callable[[dict[str, Any], Sizes], None]] = {
    "HistogramDensity": histogram_rule,
    "Factorization": factorization_rule,
}
