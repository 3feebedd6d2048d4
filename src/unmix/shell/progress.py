"""Tells scikit-learn's callbacks, where the installed version has them, what the fit is doing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unmix.core.iteration.trace import Record

try:
    from sklearn.callback import CallbackSupportMixin
    from sklearn.callback import with_callbacks as _with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Stands in where scikit-learn has no callbacks."""

    def _with_callbacks(method: Callable[..., Any]) -> Callable[..., Any]:
        return method


with_callbacks = _with_callbacks


def callback_observer(estimator: Any) -> tuple[Callable[[Record], bool], Callable[[], None]]:
    """An observer that passes records on as subtasks, and what to call at the end of the fit."""
    if not getattr(estimator, "_skl_callbacks", None):
        return (lambda record: False), (lambda: None)
    root = estimator._init_callback_context(max_subtasks=None)
    root.call_on_fit_task_begin(estimator=estimator)

    def observe(record: Record) -> bool:
        task = root.subcontext(task_name=record.stage)
        task.call_on_fit_task_begin(estimator=estimator, metadata=record.values)
        return bool(task.call_on_fit_task_end(estimator=estimator, metadata=record.values))

    def end() -> None:
        root.call_on_fit_task_end(estimator=estimator)

    return observe, end
