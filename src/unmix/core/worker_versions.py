"""Whether the workers of a cluster compute with the versions this process has: with others, last bits would differ.

Every worker is asked once, when a fit first meets it.
"""

from __future__ import annotations

import sys
from typing import Any
from weakref import WeakKeyDictionary

_agreed: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


def versions() -> dict[str, str]:
    """Of what numbers depend on."""
    import numba
    import numpy
    import scipy

    import unmix

    found = {"Python": f"{sys.version_info.major}.{sys.version_info.minor}", "unmix": unmix.__version__}
    return found | {module.__name__: module.__version__ for module in (numpy, scipy, numba)}


def check_versions(client: Any) -> None:
    """Refuse workers of other versions, and such as have no unmix, in one sentence."""
    agreed = _agreed.setdefault(client, set())
    new = [address for address in client.nthreads() if address not in agreed]
    if not new:
        return
    here = versions()
    for address, found in client.run(versions, workers=new, on_error="return").items():
        if isinstance(found, Exception):
            raise RuntimeError(
                f"the worker {address} cannot use unmix ({type(found).__name__}: {found}); install on every worker "
                "what is installed here"
            )
        other = [f"{name} {version} (here {here[name]})" for name, version in found.items() if version != here[name]]
        if other:
            raise RuntimeError(
                f"the worker {address} has {', '.join(other)}, and would compute other last bits; install the same "
                "versions on every worker"
            )
        agreed.add(address)
