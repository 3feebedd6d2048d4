"""Saving and loading fitted models as JSON and plain arrays: a file can hold a model, never a program."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix import constraints, inference, losses
from unmix.constraints import Constraint
from unmix.core.archive import REFUSALS, read_archive, reason, write_archive
from unmix.core.identity import UnknownIdentity, describe
from unmix.inference.step import is_step
from unmix.losses.base import Loss
from unmix.shell.schema_check import check_fitted

FORMAT, SCHEMA = "unmix model", 2
STEPS = (
    "DeterministicAnnealing", "Gibbs", "MeanField", "Metropolis", "MetropolisHastings", "SaddlePoint",
)  # fmt: skip

# Parts of a factorization, and the package that holds ours.
PARTS: dict[str, tuple[type, Any]] = {"loss": (Loss, losses), "constraint": (Constraint, constraints)}

# The classes of unmix that a file may name, and where they live. Nothing else is ever imported: classes and functions
# of others are looked for among what the caller has handed over.
CLASSES = {
    "Categorical": "unmix.density",
    "CollaborativeFilter": "unmix.decomposition",
    "CompleteMiner": "unmix.roles",
    "ConstantShiftEmbedding": "unmix.embedding",
    "CorrelationClustering": "unmix.cluster",
    "DensityGroups": "unmix.exploration.structure.shapes.density_groups",
    "DictionaryLearning": "unmix.decomposition",
    "DiscreteBasis": "unmix.roles",
    "Factorization": "unmix.decomposition",
    "FastICA": "unmix.separation",
    "FastMiner": "unmix.roles",
    "Gaussian": "unmix.density",
    "GaussianMixture": "unmix.density",
    "GlidingHistogram": "unmix.density",
    "GraphPartition": "unmix.cluster",
    "GrowingKMeans": "unmix.cluster",
    "HammingKMeans": "unmix.roles",
    "HistogramClustering": "unmix.cluster",
    "HistogramDensity": "unmix.density",
    "Infomax": "unmix.separation",
    "InformationBottleneck": "unmix.cluster",
    "JADE": "unmix.separation",
    "KMeans": "unmix.cluster",
    "KernelDensity": "unmix.density",
    "LeastAngleClustering": "unmix.cluster",
    "LocallyLinearEmbedding": "unmix.embedding",
    "MiniBatchDictionaryLearning": "unmix.decomposition",
    "MultiAssignmentClustering": "unmix.roles",
    "NMF": "unmix.decomposition",
    "OnlineICA": "unmix.separation",
    "MiniBatchKMeans": "unmix.cluster",
    "PCA": "unmix.decomposition",
    "PairwiseClustering": "unmix.cluster",
    "PairwiseSOM": "unmix.embedding",
    "ParametricDistributionalClustering": "unmix.cluster",
    "RobustPCA": "unmix.decomposition",
    "RoundedSVD": "unmix.roles",
    "SVDDenoiser": "unmix.roles",
    "SecondOrderICA": "unmix.separation",
    "SelfOrganizingMap": "unmix.embedding",
    "SemiNMF": "unmix.decomposition",
    "SingleAssignmentClustering": "unmix.roles",
    "SmoothKMeans": "unmix.cluster",
    "SoftKMeans": "unmix.cluster",
    "SparseCoder": "unmix.decomposition",
    "TruncatedSVD": "unmix.decomposition",
}


_registered: list[Any] = []  # classes and functions of others that files may name too


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
        _check_thing(thing)
    _registered[:] = [*things, *(other for other in _registered if other not in things)]


def _check_thing(thing: Any) -> None:
    if not isinstance(thing, type | FunctionType):
        raise TypeError(f"{thing!r} is neither a class nor a function; give the class or function itself")


def _name_of(thing: Any) -> str:
    """Which class or function is meant: the module is told to the reader, the name is what counts."""
    return f"{thing.__module__}:{thing.__qualname__}"


def _find(name: str, given: Sequence[Any], what: str) -> Any:
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


def save(model: Any, path: str | Path) -> None:
    """Write every parameter and every fitted attribute of ``model`` to ``path``."""
    arrays: list[np.ndarray] = []
    write_archive(path, to_document(model, arrays), arrays)


def to_document(model: Any, arrays: list[np.ndarray]) -> dict[str, Any]:
    """``model`` as JSON, whose arrays are added to those of the file it will stand in."""
    from unmix import __version__

    kind = type(model)
    name = kind.__name__
    if CLASSES.get(name) is None or not kind.__module__.startswith(CLASSES[name]):
        if kind.__module__.split(".")[0] == "unmix":
            raise TypeError(f"{name} cannot be saved; models that can are {', '.join(sorted(CLASSES))}")
        name = _name_of(kind)  # of someone else: `load` will ask for the class
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "unmix": __version__,
        "class": name,
        "parameters": _encode(model.get_params(deep=False), arrays, "parameters"),
        "fitted": _encode(_fitted(model), arrays, "fitted"),
    }


def load(path: str | Path, classes: Sequence[Any] = ()) -> Any:
    """Read a model written by ``save``. A file that is anything else is refused, and nothing in it is run.

    Parameters
    ----------
    path : str or Path
    classes : sequence of classes and functions, optional
        Of your own, that the file may name besides the models of unmix: the class of the model, functions among its
        parameters. Nothing is imported because a file names it.

    Examples
    --------
    >>> import numpy as np, tempfile, os, unmix
    >>> from unmix.decomposition import PCA
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "pca.unmix")
    ...     PCA(1).fit(np.array([[0.0, 1.0], [1.0, 2.0], [2.0, 3.5]])).save(path)
    ...     unmix.load(path).n_components_
    1
    """
    path, given = Path(path), list(classes)
    for thing in given:
        _check_thing(thing)
    if not path.exists():
        raise FileNotFoundError(f"no such file: {path}")
    try:
        return from_document(*read_archive(path), given)
    except REFUSALS as error:
        raise ValueError(f"{path.name} is not a model that this version of unmix can load: {reason(error)}") from error


def from_document(document: dict[str, Any], arrays: list[np.ndarray], given: Sequence[Any] = ()) -> Any:
    """The model that `to_document` wrote down; one of REFUSALS if it is anything else."""
    kind = _check(document, given)
    parameters = _decode(document["parameters"], arrays, given)
    fitted = _decode(document["fitted"], arrays, given)
    _check_attributes(kind, fitted, parameters)
    model = kind(**parameters)
    for name, value in fitted.items():
        setattr(model, name, value)
    return model


def describe_parameters(model: Any) -> dict[str, str]:
    """The parameters of a model as text, equal for equal ones only. Says which fit a checkpoint belongs to."""
    try:
        return {name: describe(value) for name, value in model.get_params(deep=False).items()}
    except UnknownIdentity as error:
        raise TypeError(
            f"checkpoint: {error}, so a fit could go on under another; give a number, an array or a plain function, or "
            "leave checkpoint out"
        ) from error


def _check(document: dict[str, Any], given: Sequence[Any]) -> Any:
    """The class of the model, once the document is known to be one of ours."""
    if document.get("format") != FORMAT:
        raise ValueError("it was not written by unmix")
    if document.get("schema") != SCHEMA:
        raise ValueError(f"its schema is {document.get('schema')!r}, this version reads {SCHEMA}")
    name = document.get("class")
    if not isinstance(name, str) or (name not in CLASSES and ":" not in name):
        raise ValueError(f"it names the class {name!r}, which is not on the list of models")
    fitted = document.get("fitted")
    names = [pair[0] for pair in fitted["dict"]] if isinstance(fitted, dict) and "dict" in fitted else [""]
    if not all(isinstance(n, str) and _is_fitted_name(n) and n.isidentifier() for n in names):
        raise ValueError("its fitted attributes have names no model has")
    return getattr(import_module(CLASSES[name]), name) if name in CLASSES else _find(name, given, "class")


def _check_attributes(kind: type, fitted: Any, parameters: Any) -> None:
    """Shapes and kinds as the class, or the nearest of ours that it is made from, has them."""
    if not isinstance(fitted, dict) or not isinstance(parameters, dict):
        raise ValueError("its parameters and fitted attributes are not named")
    ours = [base for base in kind.__mro__ if base.__module__.startswith(CLASSES.get(base.__name__, "\0"))]
    if ours:
        check_fitted(ours[0].__name__, fitted, parameters, others=ours[0] is not kind)


def _is_fitted_name(name: str) -> bool:
    return (name.endswith("_") and not name.startswith("_")) or name in ("_fit_dtype", "_fit_sparse")


def _fitted(model: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(model).items() if _is_fitted_name(name)}


def _encode(value: Any, arrays: list[np.ndarray], where: str) -> Any:
    """JSON for numbers, strings, lists, tuples, dicts and arrays, sparse ones too. Numbers keep every bit."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and not isinstance(value, np.generic):
        return {"float": value.hex()}
    if isinstance(value, np.generic | np.ndarray):
        array = np.asarray(value)
        if array.dtype == object:  # column names as scikit-learn keeps them
            return {"names": [str(v) for v in array.ravel()]}
        arrays.append(array)
        return {"array": len(arrays) - 1}
    if isinstance(value, csr_array):
        parts = [value.data, value.indices, value.indptr, list(value.shape)]
        return {"csr": [_encode(part, arrays, where) for part in parts]}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [_encode(v, arrays, where) for v in value]}
    if isinstance(value, dict):
        return {"dict": [[str(k), _encode(v, arrays, f"{where}.{k}")] for k, v in value.items()]}
    if is_step(value):
        return {"step": [_name_of_step(value), _encode(_settings(value, where), arrays, where)]}
    for what, (kind, home) in PARTS.items():
        if isinstance(value, kind):
            name = type(value).__name__
            known = name if getattr(home, name, None) is type(value) else _name_of(type(value))
            return {what: [known, _encode(_settings(value, where), arrays, where)]}
    if isinstance(value, FunctionType):
        if "<lambda>" in value.__qualname__:
            raise TypeError(f"{where} is a lambda, which has no name to be found by; define it with def")
        return {"function": _name_of(value)}
    raise TypeError(
        f"{where} holds a {type(value).__name__}, which a model file cannot hold; use numbers, strings or arrays "
        "(for random_state, an integer)"
    )


def _name_of_step(step: Any) -> str:
    name = type(step).__name__
    return name if name in STEPS and type(step) is getattr(inference, name) else _name_of(type(step))


def _settings(step: Any, where: str) -> dict[str, Any]:
    """What the constructor of a step was given, which a step keeps under the same names."""
    names = list(signature(type(step)).parameters)
    lost = [name for name in names if not hasattr(step, name)]
    if lost:
        raise TypeError(f"{where}: {type(step).__name__} does not keep its parameter {lost[0]!r} under that name")
    return {name: getattr(step, name) for name in names}


def _decode(value: Any, arrays: list[np.ndarray], given: Sequence[Any] = ()) -> Any:
    if not isinstance(value, dict):
        return value
    (kind, content), *rest = value.items()
    if rest:
        raise ValueError("a value in it has two kinds")
    match kind:
        case "float":
            return float.fromhex(content)
        case "function":
            return _find(content, given, "function")
        case "step":
            name, settings = content
            made = getattr(inference, name) if name in STEPS else _find(name, given, "class")
            return made(**_decode(settings, arrays, given))
        case "loss" | "constraint":
            name, settings = content
            home = PARTS[kind][1]
            made = getattr(home, name) if name in home.__all__ else _find(name, given, "class")
            if not (isinstance(made, type) and issubclass(made, PARTS[kind][0])):
                raise ValueError(f"it names {name!r} as a {kind}, which it is not")
            return made(**_decode(settings, arrays, given))
        case "names":
            if not all(isinstance(name, str) for name in content):
                raise ValueError("a name in it is no text")
            return np.array(content, dtype=object)
        case "array":
            array = arrays[content]
            return array[()] if array.ndim == 0 else array
        case "csr":
            data, indices, indptr, shape = (_decode(v, arrays, given) for v in content)
            rows = csr_array((data, indices, indptr), shape=tuple(shape))
            rows.check_format(full_check=True)
            return rows
        case "list" | "tuple":
            return {"list": list, "tuple": tuple}[kind](_decode(v, arrays, given) for v in content)
        case "dict":
            return {k: _decode(v, arrays, given) for k, v in content}
    raise ValueError(f"it holds a value of unknown kind {kind!r}")
