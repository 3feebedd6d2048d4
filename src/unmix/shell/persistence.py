"""Saving and loading fitted models as JSON and plain arrays: a file can hold a model, never a program."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from unmix.core.storage.archive import REFUSALS, read_archive, reason, write_archive
from unmix.core.storage.identity import UnknownIdentity, describe
from unmix.shell.document_values import decode, encode
from unmix.shell.registered import check_thing, find, name_of
from unmix.shell.schema_check import check_fitted

FORMAT, SCHEMA = "unmix model", 2

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
        name = name_of(kind)  # of someone else: `load` will ask for the class
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "unmix": __version__,
        "class": name,
        "parameters": encode(model.get_params(deep=False), arrays, "parameters"),
        "fitted": encode(_fitted(model), arrays, "fitted"),
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
        check_thing(thing)
    if not path.exists():
        raise FileNotFoundError(f"no such file: {path}")
    try:
        return from_document(*read_archive(path), given)
    except REFUSALS as error:
        raise ValueError(f"{path.name} is not a model that this version of unmix can load: {reason(error)}") from error


def from_document(document: dict[str, Any], arrays: list[np.ndarray], given: Sequence[Any] = ()) -> Any:
    """The model that `to_document` wrote down; one of REFUSALS if it is anything else."""
    kind = _check(document, given)
    parameters = decode(document["parameters"], arrays, given)
    fitted = decode(document["fitted"], arrays, given)
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
    return getattr(import_module(CLASSES[name]), name) if name in CLASSES else find(name, given, "class")


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
