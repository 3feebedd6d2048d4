import numpy as np
from scipy.special import expit
from sklearn.metrics import log_loss

from unmix.losses import Logistic

rng = np.random.default_rng(0)
x, m = (rng.random((300, 1)) < 0.4).astype(float), 3 * rng.normal(size=(300, 1))


def test_it_is_the_log_loss():
    np.testing.assert_allclose(Logistic().value(x, m).mean(), log_loss(x.ravel(), expit(m.ravel())), rtol=1e-12)


def test_what_the_model_is_sure_of_keeps_its_digits():
    cells, models = np.array([[1.0, 0.0, 1.0]]), np.array([[60.0, -60.0, -800.0]])
    for value in (Logistic().value(cells, models), Logistic().parabola(cells, models)[0]):
        np.testing.assert_allclose(value, [[np.exp(-60), np.exp(-60), 800.0]], rtol=1e-12)


def test_the_constant_is_the_log_odds_and_stays_finite():
    columns = np.column_stack([x.ravel(), np.ones(300), np.zeros(300)])
    found = Logistic().constant(columns, np.ones(300))
    np.testing.assert_allclose(expit(found), [x.mean(), 1, 0], atol=1e-6)
    assert np.isfinite(found).all()
