"""What an estimator that can leave out cells makes of NaN: its parameter `missing`.

"error" refuses NaN, so that a hole in the data is never passed over in silence; "ignore" takes NaN for a cell that was
not observed, and whatever the method adds up is added up over the others.
"""

from __future__ import annotations

from typing import Any

from unmix.core.arguments import one_of

WAYS = ("error", "ignore")


def check_missing(estimator: Any) -> None:
    one_of("missing", estimator.missing, WAYS)


def ignores_missing(estimator: Any) -> bool:
    """Whether NaN stands for a cell that was not observed; what `allow_nan` of the tags says."""
    return isinstance(estimator.missing, str) and estimator.missing == "ignore"


def remedy(estimator: Any) -> str:
    """What to do about NaN, for the sentence that refuses it."""
    if hasattr(estimator, "missing"):
        return 'give missing="ignore" to leave those cells out, or drop or fill them first'
    return "drop or fill those entries first"
