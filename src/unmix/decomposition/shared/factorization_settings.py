"""What the parameters of a factorization stand for, once its table is known."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_array

from unmix.algorithms.factorization.columns import SCALES
from unmix.algorithms.factorization.fit import Settings, count_observed
from unmix.constraints import resolve as resolve_constraint
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.shell.missing import check_missing

UNSTORED = ("zero", "missing")


def check_parameters(model):
    whole_number("n_components", model.n_components, 0)
    whole_number("max_iter", model.max_iter, 1)
    zero_or_more("tol", model.tol)
    check_missing(model)
    one_of("unstored", model.unstored, UNSTORED)
    if model.scale is not None:
        one_of("scale", model.scale, [name for name in SCALES if name], "None")
    if model.intercept != "auto" and not isinstance(model.intercept, bool | np.bool_):
        raise ValueError(f"intercept={model.intercept!r} is not known; give True, False or 'auto'")


def settings_of(model, losses, blocks):
    codes, components = constraints_of(model, losses)
    for one, other, name in ((codes, components, "components"), (components, codes, "codes")):
        if one.shrinks and not other.holds:
            remedy = "Smooth(ridge=…)" if other.name == "smooth" else "a penalty too"
            raise ValueError(
                f"{one.name!r} makes one factor small, and nothing keeps {name}={other.name!r} from growing in "
                f"return; give {name} a constraint that bounds it ('unit_norm', 'orthonormal') or {remedy}"
            )
    if codes.name == "normal":
        refuse_other_forms(model)
    intercept = codes.symmetric and components.symmetric if model.intercept == "auto" else bool(model.intercept)
    scale = model.scale
    if scale == "auto":
        scale = "column" if len(set(losses)) > 1 or (isinstance(model.loss, str) and model.loss == "auto") else None
    if codes.name == "normal":
        scale, intercept = "column", True
    gaps = bool(observed_cells(model, blocks).min() < blocks.shape[0])
    return Settings(
        codes, components, intercept, scale, zeros_unstored(model), gaps, int(model.max_iter), float(model.tol)
    )


def refuse_other_forms(model):
    """Codes with a normal law have a constant beside them, and noises in units of the columns' spread."""
    if model.intercept is False or model.scale in ("inertia", None):
        raise ValueError(
            f"intercept={model.intercept!r} and scale={model.scale!r} with codes that have a normal law, for which "
            "intercept=True and scale='column' are meant; leave both at 'auto', or give codes='ridge'"
        )


def constraints_of(model, losses):
    """Of codes and components, with what "auto" stands for."""
    codes, components = model.codes, model.components
    quadratic = all(loss.quadratic for loss in losses)
    if isinstance(codes, str) and codes == "auto":
        codes = "normal" if is_normal(model) else "free" if quadratic else "ridge"
    codes = resolve_constraint(codes, "codes")
    if isinstance(components, str) and components == "auto":
        components = "free" if not codes.shrinks else "ridge"
    components = resolve_constraint(components, "components")
    if codes.name == "normal" and not (quadratic and components.name == "ridge"):
        raise ValueError(
            "codes='normal' goes with quadratic losses (squared, logarithm, indicators, scores) and components="
            f"'ridge'; here are {', '.join(sorted({loss.name for loss in losses}))} and {components.name!r}: give "
            "codes='ridge', or leave loss='auto'"
        )
    return codes, components


def is_normal(model):
    """Whether codes have a normal law; that much is known before the losses are."""
    if isinstance(model.codes, str) and model.codes == "auto":
        return isinstance(model.loss, str) and model.loss == "auto"
    return resolve_constraint(model.codes, "codes").name == "normal"


def binds_rows(model):
    """Whether the constraint of the codes is about all rows together, also those that do not count."""
    named = isinstance(model.codes, str) and model.codes == "auto"
    return not named and resolve_constraint(model.codes, "codes").scope == "matrix"


def observed_cells(model, blocks):
    """How many cells of each column there are to learn from; none is refused."""
    observed = count_cells(model, blocks)
    if not observed.all():
        name = column_name(model, np.flatnonzero(observed == 0)[0])
        raise ValueError(f"column {name!r} has no observed value; drop it")
    return observed


def column_name(model, j):
    return str(getattr(model, "feature_names_in_", range(j + 1))[j])


def count_cells(model, blocks):
    return blocks.reduce(count_observed, zeros_unstored(model)).observed


def entry_weights(model, entry_weight, blocks):
    if entry_weight is None:
        return None
    entries = check_array(entry_weight, dtype=blocks.dtype, input_name="entry_weight", ensure_2d=False)
    if entries.shape != blocks.shape or (entries < 0).any():
        raise ValueError(
            f"entry_weight has shape {entries.shape}; give one weight a cell, {blocks.shape}, none below 0"
        )
    unseen = np.flatnonzero(~(entries > 0).any(axis=0))
    if unseen.size:
        raise ValueError(f"entry_weight is 0 for every cell of column {column_name(model, unseen[0])!r}; drop it")
    return entries


def zeros_unstored(model):
    return model.unstored == "zero"
