"""Settings nest, and wrong ones are refused in words."""

import pytest

import unmix
from unmix.core.execution import current_execution
from unmix.core.threads import default_threads, one_blas_thread


def test_settings_nest_and_are_restored(tmp_path):
    with unmix.execution(threads=3):
        with unmix.execution(checkpoint=tmp_path / "c") as inner:
            assert inner.n_threads == 3 and inner.checkpoint == tmp_path / "c"
        assert current_execution().checkpoint is None
    assert current_execution().threads is None


@pytest.mark.parametrize("settings", [{"threads": 0}, {"threads": 1.5}, {"executor": 4}])
def test_wrong_settings(settings):
    with pytest.raises((ValueError, TypeError), match=next(iter(settings))), unmix.execution(**settings):
        pass


def test_threads_from_the_environment(monkeypatch):
    monkeypatch.setenv("UNMIX_NUM_THREADS", "3")
    assert default_threads() == 3
    monkeypatch.setenv("UNMIX_NUM_THREADS", "many")
    with pytest.raises(ValueError, match="UNMIX_NUM_THREADS='many'"):
        default_threads()


def test_blas_is_pinned_and_restored():
    import scipy.linalg  # noqa: F401  loads the second BLAS
    from threadpoolctl import threadpool_info

    def counts():
        return [info["num_threads"] for info in threadpool_info() if info["user_api"] == "blas"]

    before = counts()
    with one_blas_thread():
        with one_blas_thread():
            assert set(counts()) == {1}
        assert set(counts()) == {1}
    assert counts() == before
