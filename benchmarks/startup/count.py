"""Counts the kernels that each first use needs: those that were called, and all that these call.

    python -m benchmarks.startup.count [--write] [NAME …]

A kernel that is found on disk is counted like one that compiles, so counting takes no longer than the uses themselves
once kernels are there. ``--write`` renews the file of numbers that the tests hold.
"""

import argparse
import json
import os
import sys
import traceback
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from unmix.cli import first_uses
from unmix.cli.terminal import console

stored = Path(console.__file__).with_name("kernel_counts.json")


def is_kernel(value: Any) -> bool:
    return isinstance(getattr(value, "py_func", None), FunctionType) and value.py_func.__module__.startswith("unmix.")


def used_names(code: CodeType) -> set[str]:
    inner = (used_names(part) for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*inner)


def with_inner(kernels: list[Any]) -> dict[int, Any]:
    """The kernels and all that they call."""
    found: dict[int, Any] = {}
    waiting = list(kernels)
    while waiting:
        kernel = waiting.pop()
        if id(kernel) not in found:
            found[id(kernel)] = kernel
            known = kernel.py_func.__globals__
            waiting += [known[name] for name in used_names(kernel.py_func.__code__) if is_kernel(known.get(name))]
    return found


def kernels_in_use() -> dict[int, Any]:
    """What has been called in this process, compiled now or before."""
    modules = [module for name, module in sys.modules.items() if name.startswith("unmix.")]
    kernels = [value for module in modules for value in vars(module).values() if is_kernel(value)]
    return with_inner([kernel for kernel in kernels if kernel.overloads])


def count_in_child(name: str) -> int:
    """In a forked process, which begins without any kernel."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            first_uses.first_use(name)
            os.write(writer, str(len(kernels_in_use())).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    if not answer:
        raise RuntimeError(f"the first use of {name} failed")
    return int(answer)


def count(names: list[str]) -> dict[str, int]:
    import sklearn.base  # noqa: F401  once for all children

    return {name: count_in_child(name) for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup.count", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true", help="renew the file of numbers")
    options = parser.parse_args()
    counted = count(options.names or first_uses.names())
    if options.write:
        before = json.loads(stored.read_text()) if stored.exists() and options.names else {}
        stored.write_text(json.dumps(dict(sorted((before | counted).items())), indent=1) + "\n")
    print(json.dumps(counted, indent=1))


if __name__ == "__main__":
    main()
