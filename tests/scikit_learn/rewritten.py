"""The text of a test module of scikit-learn with the classes both libraries have imported from here."""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path

# Class of scikit-learn -> package here.
SHARED = {
    "DictionaryLearning": "unmix.decomposition",
    "FastICA": "unmix.separation",
    "GaussianMixture": "unmix.density",
    "KernelDensity": "unmix.density",
    "KMeans": "unmix.cluster",
    "LocallyLinearEmbedding": "unmix.embedding",
    "MiniBatchDictionaryLearning": "unmix.decomposition",
    "MiniBatchKMeans": "unmix.cluster",
    "NMF": "unmix.decomposition",
    "PCA": "unmix.decomposition",
    "SparseCoder": "unmix.decomposition",
    "TruncatedSVD": "unmix.decomposition",
}
MODULES = (
    "sklearn.cluster.tests.test_k_means",
    "sklearn.decomposition.tests.test_dict_learning",
    "sklearn.decomposition.tests.test_fastica",
    "sklearn.decomposition.tests.test_nmf",
    "sklearn.decomposition.tests.test_pca",
    "sklearn.decomposition.tests.test_truncated_svd",
    "sklearn.manifold.tests.test_locally_linear",
    "sklearn.mixture.tests.test_gaussian_mixture",
    "sklearn.mixture.tests.test_mixture",
    "sklearn.neighbors.tests.test_kde",
)


def source_of(module: str) -> str:
    """The module's text, as the wheel ships it."""
    package, _, name = module.rpartition(".")
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError(f"scikit-learn was installed without its tests: {package} is not there")
    return Path(spec.submodule_search_locations[0], f"{name}.py").read_text(encoding="utf-8")


class _Imports(ast.NodeTransformer):
    """`from sklearn.x import A, b` becomes `from unmix.y import A` and `from sklearn.x import b`; `x.A` becomes `A`."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        ours = [alias for alias in node.names if alias.name in SHARED]
        theirs = [alias for alias in node.names if alias.name not in SHARED]
        lines: list[ast.stmt] = [ast.ImportFrom(SHARED[alias.name], [alias], 0) for alias in ours]
        return lines + ([ast.ImportFrom(node.module, theirs, node.level)] if theirs else [])

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return ast.copy_location(_ours(node), node) if node.attr in SHARED else node


def _ours(node: ast.Attribute) -> ast.expr:
    """An attribute of a package of scikit-learn, as an expression that imports ours."""
    package = ast.Call(ast.Name("__import__", ast.Load()), [ast.Constant(SHARED[node.attr])], [
        ast.keyword("fromlist", ast.List([ast.Constant(node.attr)], ast.Load()))
    ])  # fmt: skip
    return ast.Attribute(package, node.attr, node.ctx)


def rewritten(module: str) -> str:
    return with_our_imports(source_of(module))


def with_our_imports(text: str) -> str:
    tree = _Imports().visit(ast.parse(text))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def tests_of_shared(module: str) -> list[str]:
    """Names of the test functions that use a shared class by name, also by a parameter or a helper of the module."""
    tree = ast.parse(source_of(module))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    used = {name: _names(node) for name, node in functions.items()}
    known = set(SHARED)
    while more := {name for name, names in used.items() if names & known} - known:
        known |= more
    return [name for name in functions if name.startswith("test_") and name in known]


def _names(node: ast.AST) -> set[str]:
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names | {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
