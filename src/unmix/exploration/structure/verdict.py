"""The answer to "how many clusters" in words that say how sure it is."""

from __future__ import annotations

from unmix.exploration.findings.records import Selection
from unmix.validation.criteria.consensus import LIKELY
from unmix.validation.selection.result import Selection as Choice
from unmix.validation.selection.verdict import no_structure, valleys_in_words, who_says


def verdict(record: Selection, choice: Choice | None) -> str:
    """A first sentence for the headline, then the evidence."""
    if choice is None:
        if record.n_rows_used < 12:
            return f"Too few rows to look for clusters. {record.n_rows_used} rows cannot tell groups from chance."
        return "Clusters were not looked for. Only one was allowed, or all rows are the same."
    curves = {curve.name: curve for curve in record.criteria}
    if record.chosen_k == 1:
        return f"No cluster structure beyond chance. {_why_none(choice, curves)}"
    stability, at = curves["stability"], record.k.index(record.chosen_k)
    strength, remark = _strength(stability.values[at] or 0.0)
    shaky = record.confidence is not None and record.confidence < 0.7
    sentences = [
        f"{record.chosen_k} {'fairly clear' if shaky and strength == 'clear' else strength} clusters.",
        _why_some(choice, record),
        f"{remark} (stability {stability.values[at]:.2f} ± {stability.errors[at]:.2f}, 1 = always the same).",
    ]
    if shaky:
        same = f"{100 * record.confidence:.0f} %"
        sentences.append(f"The number is less sure: {same} of tables with a tenth of the rows left out give the same.")
    if record.chosen_k == max(record.k):
        sentences.append("That is the largest number that was tried: there may be more.")
    return " ".join(sentences)


def _why_none(choice: Choice, curves: dict) -> str:
    if "gap" in curves:
        return (
            "Groups of rows are no tighter than in tables whose columns were shuffled, so columns hardly go together."
        )
    seen = choice.details["consensus"]
    if seen.p_value < LIKELY:
        return f"In short, {no_structure(seen)}."
    return (
        f"Cut the rows as you may, the groups run into each other as they do in a table without clusters "
        f"(p = {seen.p_value:.2g})."
    )


def _why_some(choice: Choice, record: Selection) -> str:
    if record.criteria[0].name == "gap":
        return "Rows in a cluster agree on more columns than chance allows."
    seen = choice.details["consensus"]
    words = who_says(seen)
    sentence = f"{words[0].upper()}{words[1:]}. {valleys_in_words(seen)}."
    if seen.votes["valleys"] >= record.chosen_k > seen.groups[record.k.index(record.chosen_k)]:
        sentence += " K-means, which cuts round pieces of similar size, does not follow every gap."
    return sentence


def _strength(stability: float) -> tuple[str, str]:
    if stability >= 0.9:
        return "clear", "Drawing the rows anew gives the same clusters"
    if stability >= 0.7:
        return "fairly clear", "Drawing the rows anew moves the borders a little"
    return "unsteady", "Drawing the rows anew moves many rows to another cluster"
