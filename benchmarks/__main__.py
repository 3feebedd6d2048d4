"""`python -m benchmarks NAME… [--quick] [--repeat N] [--threads N] [--only TEXT]`; no name lists what there is."""

import argparse
from importlib import import_module

from benchmarks.compare import compare
from benchmarks.discover import benchmarks, first_line, programs


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="a benchmark; 'kmeans' also runs kmeans_default and kmeans_sweep")
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, to try the machinery")
    parser.add_argument("--repeat", type=int, default=5, help="warm rounds, every solver once a round (default 5)")
    parser.add_argument("--threads", type=int, default=2, help="threads for every solver (default 2)")
    parser.add_argument("--only", default="", help="only data sets whose name contains this")
    options = parser.parse_args()
    known = benchmarks() + programs()
    chosen = [name for name in known if any(name == given or name.startswith(given + "_") for given in options.names)]
    unknown = [
        given for given in options.names if not any(name.split("_")[0] == given or name == given for name in known)
    ]
    if unknown:
        parser.error(f"no benchmark named {', '.join(unknown)}; there are {', '.join(known)}")
    if not chosen:
        for name in known:
            print(f"{name:18}{first_line(import_module(f'benchmarks.{name}'))}")
    for name in chosen:
        if name in programs():
            import_module(f"benchmarks.{name}.program").main(options)
        else:
            compare(name, options)


if __name__ == "__main__":
    main()
