"""Saving and loading fitted models as JSON and plain arrays: a file can hold a model, never a program."""

from __future__ import annotations

import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix.core.archive import read_archive, write_archive
from unmix.core.identity import Unknown, describe

FORMAT, SCHEMA = "unmix model", 1

# The classes a file may name, and where they live. Nothing else is ever imported or called.
CLASSES = {
    "Categorical": "unmix.density",
    "CollaborativeFilter": "unmix.decomposition",
    "CompleteMiner": "unmix.roles",
    "ConstantShiftEmbedding": "unmix.embedding",
    "CorrelationClustering": "unmix.cluster",
    "DictionaryLearning": "unmix.decomposition",
    "DiscreteBasis": "unmix.roles",
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
    "OnlineKMeans": "unmix.cluster",
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


def save(model: Any, path: str | Path) -> None:
    """Write every parameter and every fitted attribute of ``model`` to ``path``."""
    from unmix import __version__

    name = type(model).__name__
    if CLASSES.get(name) is None or not type(model).__module__.startswith(CLASSES[name]):
        raise TypeError(f"{name} cannot be saved; models that can are {', '.join(sorted(CLASSES))}")
    arrays: list[np.ndarray] = []
    document = {
        "format": FORMAT,
        "schema": SCHEMA,
        "unmix": __version__,
        "class": name,
        "parameters": _encode(model.get_params(deep=False), arrays, "parameters"),
        "fitted": _encode(_fitted(model), arrays, "fitted"),
    }
    write_archive(path, document, arrays)


def load(path: str | Path) -> Any:
    """Read a model written by ``save``. A file that is anything else is refused, and nothing in it is run.

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
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"no such file: {path}")
    try:
        document, arrays = read_archive(path)
        _check(document)
        parameters = _decode(document["parameters"], arrays)
        fitted = _decode(document["fitted"], arrays)
        kind = getattr(import_module(CLASSES[document["class"]]), document["class"])
        model = kind(**parameters)
    except (ValueError, TypeError, KeyError, IndexError, zipfile.BadZipFile, OSError, RecursionError) as error:
        raise ValueError(f"{path.name} is not a model that this version of unmix can load: {error}") from error
    for name, value in fitted.items():
        setattr(model, name, value)
    return model


def describe_parameters(model: Any) -> dict[str, str]:
    """The parameters of a model as text, equal for equal ones only. Says which fit a checkpoint belongs to."""
    try:
        return {name: describe(value) for name, value in model.get_params(deep=False).items()}
    except Unknown as error:
        raise TypeError(
            f"checkpoint: {error}, so a fit could go on under another; give a number, an array or a plain function, or "
            "leave checkpoint out"
        ) from error


def _check(document: dict[str, Any]) -> None:
    if document.get("format") != FORMAT:
        raise ValueError("it was not written by unmix")
    if document.get("schema") != SCHEMA:
        raise ValueError(f"its schema is {document.get('schema')!r}, this version reads {SCHEMA}")
    if document.get("class") not in CLASSES:
        raise ValueError(f"it names the class {document.get('class')!r}, which is not on the list of models")
    fitted = document.get("fitted")
    names = [pair[0] for pair in fitted["dict"]] if isinstance(fitted, dict) and "dict" in fitted else [""]
    if not all(isinstance(n, str) and _is_fitted_name(n) and n.isidentifier() for n in names):
        raise ValueError("its fitted attributes have names no model has")


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
    raise TypeError(
        f"{where} holds a {type(value).__name__}, which a model file cannot hold; use numbers, strings or arrays "
        "(for random_state, an integer)"
    )


def _decode(value: Any, arrays: list[np.ndarray]) -> Any:
    if not isinstance(value, dict):
        return value
    (kind, content), *rest = value.items()
    if rest:
        raise ValueError("a value in it has two kinds")
    match kind:
        case "float":
            return float.fromhex(content)
        case "names":
            return np.array(content, dtype=object)
        case "array":
            array = arrays[content]
            return array[()] if array.ndim == 0 else array
        case "csr":
            data, indices, indptr, shape = (_decode(v, arrays) for v in content)
            rows = csr_array((data, indices, indptr), shape=tuple(shape))
            rows.check_format(full_check=True)
            return rows
        case "list" | "tuple":
            return {"list": list, "tuple": tuple}[kind](_decode(v, arrays) for v in content)
        case "dict":
            return {k: _decode(v, arrays) for k, v in content}
    raise ValueError(f"it holds a value of unknown kind {kind!r}")
