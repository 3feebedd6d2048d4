"""`python -m benchmarks.startup.first_use NAME` does one first use in this process and prints what it took, as JSON."""

import collections
import json
import sys
import time


def main(name: str) -> None:
    begun, at = time.perf_counter(), time.process_time()
    from numba.core.event import Listener, register

    class Watch(Listener):
        """CPU seconds by kernel, without those of kernels that compile inside; numba's own functions count with it."""

        def __init__(self) -> None:
            self.open: list[list[float]] = []
            self.seconds: collections.Counter[str] = collections.Counter()

        def on_start(self, event):
            self.open.append([time.process_time(), 0.0])

        def on_end(self, event):
            start, inside = self.open.pop()
            took = time.process_time() - start
            function = event.data["dispatcher"].py_func
            ours = function.__module__.startswith("unmix.")
            if ours:
                self.seconds[f"{function.__module__}.{function.__name__}"] += took - inside
            if self.open:
                self.open[-1][1] += took if ours else inside

    watch = Watch()
    register("numba:compile", watch)
    from unmix.cli.first_uses import first_use

    first_use(name)
    spent = {"cpu": time.process_time() - at, "wall": time.perf_counter() - begun, "kernels": watch.seconds}
    print(json.dumps(spent))


if __name__ == "__main__":
    main(sys.argv[1])
