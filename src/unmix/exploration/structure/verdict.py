"""The answer to "how many clusters" in words that say how sure it is."""

from __future__ import annotations

from unmix.core.percent import whole_percent
from unmix.exploration.findings.records import Selection
from unmix.exploration.structure.row_order import RowOrder
from unmix.validation.criteria.consensus import ConsensusDetails
from unmix.validation.dependence.words import dependence_in_words
from unmix.validation.selection.probability import Probabilities
from unmix.validation.selection.result import Selection as Choice
from unmix.validation.selection.sureness import (
    CLEAR_CLUSTERS,
    FAIR_CLUSTERS,
    SURE,
    cloud_in_words,
    grade_of,
    number_in_words,
)
from unmix.validation.selection.verdict import no_structure, valleys_in_words, votes_in_words

TOGETHER = (
    "The density drops between parts of the table, but from row to row there is no gap: one curved cloud, as a ring, "
    "an arc or a path through the columns, looks the same."
)


def verdict(
    record: Selection,
    choice: Choice | None,
    said: Probabilities | None = None,
    order: RowOrder | None = None,
    n_directions: int | None = None,
    doubt: str | None = None,
) -> str:
    """A first sentence for the headline, then the evidence; `doubt` says why clusters that criteria see are none."""
    if choice is None or said is None:
        if record.n_rows_used < 12:
            return f"Too few rows to look for clusters. {record.n_rows_used} rows cannot show clusters beyond chance."
        return "No clusters were looked for. Only one was allowed, or all rows are equal."
    if record.chosen_k == 1:
        first, why = cloud_in_words(said, n_directions), doubt or _why_none(choice)
        return " ".join([first, why, *_dependence(order, choice), *_repeated(record, "answer")])
    stability, error = choice.evaluations["stability"].scores[record.k.index(record.chosen_k)]
    grade = grade_of(said.at(record.chosen_k), record.confidence, stability)
    grade = "fairly clear" if grade == "clear" and not followed_by_round(choice, record) else grade
    sentences = [
        number_in_words(record.chosen_k, said, grade, max(record.k)),
        *shown(record.chosen_k, said, grade),
        *_why_some(choice, record),
        *_dependence(order, choice),
        f"{remark(stability)} (stability {stability:.2f} ± {error:.2f}, 1 = always the same).",
        *_repeated(record),
    ]
    if record.chosen_k == max(record.k):
        sentences.append("This is the largest number that was tried; a larger max_k looks for more.")
    return " ".join(sentences)


def one_relation(first: str, second: str) -> str:
    """Why clusters are doubted that rest on two columns."""
    return (
        f"Clusters would rest on columns {first!r} and {second!r}, which go together: without one of them rows come no "
        "closer together than in one cloud, and any relation of two columns looks like clusters."
    )


def asked(k: int, own: str) -> str:
    """The verdict where the user gave the number of clusters: what the table itself speaks for comes second."""
    return f"{k} cluster{'s' * (k != 1)}, as asked. The table by itself: {own[:1].lower()}{own[1:]}"


def shown(k: int, said: Probabilities, grade: str) -> list[str]:
    """Where the first sentence names no one number: which one is described, and that some structure is there."""
    if grade and said.clusters >= SURE:
        return []
    return [f"{k} are shown; that there are clusters at all has a probability of {whole_percent(said.clusters)}."]


def _repeated(record: Selection, what: str = "number") -> list[str]:
    if record.confidence is None or record.confidence >= SURE:
        return []
    same = f"{100 * record.confidence:.0f} %"
    return [f"The {what} is less certain: {same} of subsamples of nine tenths of the rows give the same."]


def _dependence(order: RowOrder | None, choice: Choice) -> list[str]:
    """One sentence where rows depend on each other."""
    if order is None:
        return []
    if "gap" in choice.evaluations:
        return [dependence_in_words(order.dependence, order.words, "what this does to the evidence is not known")]
    return [dependence_in_words(order.dependence, order.words)]


def _why_none(choice: Choice) -> str:
    if "gap" in choice.evaluations:
        return _why_one_cloud(choice)
    seen = choice.details["consensus"]
    if seen.n_clusters > 1:
        return "There is weak evidence of separate groups, but more often than not such evidence comes by chance."
    words = no_structure(seen)
    return f"{words[0].upper()}{words[1:]}."


def _why_one_cloud(choice: Choice) -> str:
    if not choice.details["gap"].one_cloud:
        return "Clusters are no more compact than in tables whose columns were shuffled."
    return "Rows come no closer together than in one cloud with the same relations between columns."


def _why_some(choice: Choice, record: Selection) -> list[str]:
    if "gap" in choice.evaluations:
        return ["Rows of a cluster agree in more columns than shuffled columns would."]
    seen, k = choice.details["consensus"], record.chosen_k
    sentences = [f"{valleys_in_words(seen)}.", f"{_votes(seen, k)}."]
    if not followed_by_round(choice, record):
        sentences.append("K-means, which finds round clusters of similar size, does not follow all of these groups.")
    return sentences


def followed_by_round(choice: Choice | None, record: Selection) -> bool:
    """Whether K-means with the number of the record finds as many groups with valleys between them as others do."""
    seen = None if choice is None else choice.details.get("consensus")
    k = record.chosen_k
    return seen is None or not seen.votes["density valleys"] >= k > seen.groups[record.k.index(k)]


def _votes(seen: ConsensusDetails, k: int) -> str:
    """Who is for the number; where parts of the table overrule all of it, both are said."""
    if seen.n_clusters == k:
        return votes_in_words(seen)
    cast = ", ".join(f"{name}: {vote}" for name, vote in seen.votes.items())
    if seen.n_clusters == 1:
        return (
            f"All rows together do not confirm it (criteria by themselves: {cast}), parts of them more often give {k}"
        )
    return f"With all rows the criteria speak for {seen.n_clusters} ({cast}), with parts of them more often for {k}"


def remark(stability: float) -> str:
    if stability >= CLEAR_CLUSTERS:
        return "Refits on resampled rows give the same clusters"
    if stability >= FAIR_CLUSTERS:
        return "Refits on resampled rows move the borders a little"
    return "Refits on resampled rows move many rows to another cluster"
