"""What the report of `unmix roles` shows beside the answer: errors in the data, fewer roles, users left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SECONDS_FOR_EXTRAS = 15.0  # seconds at most for each of them


def errors_in_data(found: Any, asked: dict[str, Any], say: Callable[[str], None], late: Any) -> list[str]:
    """Sentences where exact roles were asked for and roles with errors beside them describe the data better."""
    from unmix.roles import which_fits
    from unmix.roles.description.comparison import seen_errors
    from unmix.roles.problem.budget import Budget

    if asked["problem"] != "cover" or found.interrupted or late.interrupted:
        return []
    say("asking whether the data hold errors")
    limit = Budget(min(asked["time_limit"] or SECONDS_FOR_EXTRAS, SECONDS_FOR_EXTRAS), late)
    sentence = seen_errors(found, limit, asked["random_state"])
    if not sentence:
        return []
    fit = which_fits(found.access, random_state=asked["random_state"], budget=limit)
    return [f"{sentence} --problem infer finds them.", *([fit.sentence] if fit else [])]


def alternatives(found: Any, asked: dict[str, Any], say: Callable[[str], None], late: Any) -> tuple[list[Any], Any]:
    """Roles against deviations, and users left out; Ctrl-C here leaves them out, the answer is there already."""
    from unmix.roles.explanation.front import role_front
    from unmix.roles.held_out import held_out
    from unmix.roles.problem.budget import Budget

    if found.interrupted or late.interrupted:
        return [], None
    seconds = min(asked["time_limit"] or SECONDS_FOR_EXTRAS, SECONDS_FOR_EXTRAS)
    say("comparing with fewer roles")
    first = Budget(seconds, late)
    front = role_front(found, first, asked["random_state"])
    tried = getattr(found, "tried", {})
    number = found.model.n_roles if hasattr(found, "model") else asked["n_roles"]
    if first.interrupted or number in tried:
        return front, tried.get(number)
    say("predicting users left out")
    return front, held_out(found.access, Budget(seconds, late), **{**asked, "n_roles": number})
