"""Wide registers: as wide as the processor's, and the same sums with narrow ones."""

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from unmix.costs.gaussian.ellipsoid import add_moments, distances
from unmix.costs.gaussian.mixture import make_mixture

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing compiles (NUMBA_DISABLE_JIT is set)")

NARROW = """
import sys
import numpy as np
from unmix.core.compiled.simd import BYTES, WIDE_BYTES
from tests.core.compiled.test_simd import sums
assert WIDE_BYTES == BYTES
np.savez(sys.argv[1], *sums())
"""


def sums():
    rng = np.random.default_rng(0)
    X, q, means = rng.normal(size=(1500, 6)), rng.random((2, 1500)), rng.normal(size=(2, 6))
    first, second = np.zeros((2, 6)), np.zeros((2, 6, 6))
    add_moments(X, q, means, first, second)
    mixture = make_mixture(np.array([0.4, 0.6]), means, np.stack([np.eye(6), np.eye(6) + 0.5]))
    return first, second, distances(X, mixture, missing=False)


@compiled_only
def test_widest_register_is_one_the_processor_has_and_numba_may_use(monkeypatch):
    from unmix.core.compiled import simd

    for features, bytes_ in (("+avx,+avx512f,-avx512pf", 64), ("+avx2,-avx512f", 32), ("", 32)):
        monkeypatch.setattr(simd, "get_host_cpu_features", lambda features=features: features)
        monkeypatch.setattr(simd.config, "CPU_FEATURES", None)
        monkeypatch.setattr(simd.config, "CPU_NAME", None)
        assert simd.widest() == bytes_
        monkeypatch.setattr(simd.config, "CPU_FEATURES", "+sse2")
        assert simd.widest() == 32
        monkeypatch.setattr(simd.config, "CPU_NAME", "generic")
        assert simd.widest() == 32


@compiled_only
@pytest.mark.long
def test_narrow_registers_give_the_same_sums(tmp_path):
    file = tmp_path / "narrow.npz"
    settings = os.environ | {"NUMBA_ENABLE_AVX": "0", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    subprocess.run([sys.executable, "-c", NARROW, str(file)], check=True, env=settings, cwd=os.getcwd())
    with np.load(file) as narrow:
        for mine, name in zip(sums(), narrow.files, strict=True):
            np.testing.assert_allclose(narrow[name], mine, rtol=1e-12, atol=1e-10)
