import pytest

from unmix.losses import Huber, Quantile, resolve
from unmix.losses.registry import LOSSES


def test_every_name_leads_to_its_loss():
    assert all(resolve(name) == kind() and kind.name == name for name, kind in LOSSES.items())


def test_a_loss_stays_what_it_is():
    loss = Quantile(0.9)
    assert resolve(loss) is loss


@pytest.mark.parametrize(
    "given, words",
    [("hubert", "'hubert' is not known; give one of 'squared'"), (3, "loss=3"), (Huber, "Huber is a class")],
)
def test_what_is_not_known_is_refused_with_the_known_names(given, words):
    with pytest.raises(ValueError, match=words):
        resolve(given)
