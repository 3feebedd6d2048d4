"""What became of a relation tried on a subject: held, does not apply (why), or broken (by how much)."""

from typing import NamedTuple

from tests.relations.criteria import CRITERIA
from tests.relations.exceptions import EXCEPTIONS
from tests.relations.relations import RELATIONS, DoesNotApply, trial_of
from tests.relations.subjects import SUBJECTS

EVERYTHING = {**SUBJECTS, **CRITERIA}


class Outcome(NamedTuple):
    verdict: str  # "held", "does not apply", "broken"
    why: str = ""


def try_relation(subject: str, relation: str, long: bool = False) -> Outcome:
    if (subject, relation) in EXCEPTIONS:
        return Outcome("does not apply", EXCEPTIONS[subject, relation])
    try:
        findings = list(RELATIONS[relation](trial_of(EVERYTHING[subject], long)))
    except DoesNotApply as reason:
        return Outcome("does not apply", str(reason))
    broken = {finding.what: finding.broken for finding in findings if finding.broken}
    return Outcome("broken", str(broken)) if broken else Outcome("held")
