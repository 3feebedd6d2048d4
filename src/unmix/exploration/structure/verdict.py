"""The answer to "how many clusters" in words that say how sure it is."""

from __future__ import annotations

from unmix.exploration.findings.records import Selection
from unmix.exploration.structure.row_order import RowOrder
from unmix.validation.dependence.words import dependence_in_words
from unmix.validation.selection.result import Selection as Choice
from unmix.validation.selection.verdict import no_structure, valleys_in_words, votes_in_words


def verdict(record: Selection, choice: Choice | None, order: RowOrder | None = None) -> str:
    """A first sentence for the headline, then the evidence."""
    if choice is None:
        if record.n_rows_used < 12:
            return f"Too few rows to look for clusters. {record.n_rows_used} rows cannot show clusters beyond chance."
        return "No clusters were looked for. Only one was allowed, or all rows are equal."
    curves = {curve.name: curve for curve in record.criteria}
    if record.chosen_k == 1:
        return " ".join(
            [f"No cluster structure beyond chance. {_why_none(choice, curves)}", *_dependence(order, curves)]
        )
    stability, at = curves["stability"], record.k.index(record.chosen_k)
    strength, remark = _strength(stability.values[at] or 0.0)
    uncertain = record.confidence is not None and record.confidence < 0.7
    sentences = [
        f"{record.chosen_k} {'fairly clear' if uncertain and strength == 'clear' else strength} clusters.",
        _why_some(choice, record),
        *_dependence(order, curves),
        f"{remark} (stability {stability.values[at]:.2f} ± {stability.errors[at]:.2f}, 1 = always the same).",
    ]
    if uncertain:
        same = f"{100 * record.confidence:.0f} %"
        sentences.append(f"The number is less certain: {same} of subsamples of nine tenths of the rows give the same.")
    if record.chosen_k == max(record.k):
        sentences.append("This is the largest number that was tried: there may be more.")
    return " ".join(sentences)


def asked(k: int, own: str) -> str:
    """The verdict where the user gave the number of clusters: what the table itself speaks for comes second."""
    return f"{k} cluster{'s' * (k != 1)}, as asked. The table by itself: {own[:1].lower()}{own[1:]}"


def _dependence(order: RowOrder | None, curves: dict) -> list[str]:
    """One sentence where rows depend on each other."""
    if order is None:
        return []
    if "gap" in curves:
        return [dependence_in_words(order.dependence, order.words, "what this does to the evidence is not known")]
    return [dependence_in_words(order.dependence, order.words)]


def _why_none(choice: Choice, curves: dict) -> str:
    if "gap" in curves:
        return "Clusters are no more compact than in tables whose columns were shuffled, so columns are hardly related."
    words = no_structure(choice.details["consensus"])
    return f"{words[0].upper()}{words[1:]}."


def _why_some(choice: Choice, record: Selection) -> str:
    if record.criteria[0].name == "gap":
        return "Rows of a cluster agree in more columns than shuffled columns would."
    seen = choice.details["consensus"]
    sentence = f"{valleys_in_words(seen)}. {votes_in_words(seen)}."
    if seen.votes["density valleys"] >= record.chosen_k > seen.groups[record.k.index(record.chosen_k)]:
        sentence += " K-means, which finds round clusters of similar size, does not follow all of these groups."
    return sentence


def _strength(stability: float) -> tuple[str, str]:
    if stability >= 0.9:
        return "clear", "Refits on resampled rows give the same clusters"
    if stability >= 0.7:
        return "fairly clear", "Refits on resampled rows move the borders a little"
    return "unstable", "Refits on resampled rows move many rows to another cluster"
