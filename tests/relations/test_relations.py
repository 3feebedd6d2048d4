"""Each relation on each estimator and criterion; `pytest --long tests/relations` tries more sizes and larger tables."""

import inspect

import pytest

import unmix
from tests.relations.criteria import CRITERIA
from tests.relations.exceptions import EXCEPTIONS
from tests.relations.outcome import EVERYTHING, try_relation
from tests.relations.relations import RELATIONS
from tests.relations.subjects import SUBJECTS

pytestmark = pytest.mark.slow_without_jit
FAMILIES = ("cluster", "decomposition", "density", "embedding", "roles", "separation", "validation")


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("subject", EVERYTHING)
def test_relation(subject, relation, long_form):
    found = try_relation(subject, relation, long_form)
    if found.verdict == "does not apply":
        pytest.skip(found.why)
    assert found.verdict == "held", found.why


def public(kind):
    """Names of public classes that have a method."""
    for family in FAMILIES:
        module = getattr(unmix, family)
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isclass(found) and hasattr(found, kind) and not getattr(found, "_is_protocol", False):
                yield name


def test_every_public_estimator_is_a_subject():
    assert {name.partition(" ")[0] for name in SUBJECTS} == set(public("fit"))


def test_every_public_criterion_is_a_subject():
    assert set(CRITERIA) == set(public("evaluate"))


def test_exceptions_name_what_there_is():
    assert {subject for subject, _ in EXCEPTIONS} <= set(EVERYTHING)
    assert {relation for _, relation in EXCEPTIONS} <= set(RELATIONS)
