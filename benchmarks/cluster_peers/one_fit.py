"""`python -m benchmarks.cluster_peers.one_fit FOLDER SYSTEM METHOD REPEAT`: fits of one system in a process of its own.

Prints one JSON line a fit: seconds, and what was found. The first one compiles, starts and reads for the first time.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.cluster_peers.systems import SYSTEMS


def main(folder: str, system: str, method: str, repeat: str) -> None:
    start = np.load(Path(folder) / "_start.npy")
    with SYSTEMS[system](Path(folder), start) as fits:
        for _ in range(1 + int(repeat)):
            begin = time.perf_counter()
            answer = fits[method]()
            seconds = time.perf_counter() - begin
            found = None if answer is None else np.asarray(answer, float).tolist()
            print(json.dumps({"seconds": seconds, "answer": found}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
