"""The table of one data set: medians of the warm rounds, and each peer's time and objective over ours."""

from statistics import mean, median
from typing import Any

EQUAL = 1.0005  # objectives this close are called equal


def summary(runs: list[dict[str, float]]) -> dict[str, float]:
    cold, warm = runs[0], runs[1:] or runs
    return {
        "wall": median(run["wall"] for run in warm),
        "cpu": median(run["cpu"] for run in warm),
        "cold": cold["wall"],
        "peak": max(run["peak"] for run in warm),
        "objective": mean(run["objective"] for run in warm),
    }


def paired_ratio(peer: list[dict[str, float]], ours: list[dict[str, float]], field: str) -> float:
    """Median over rounds of peer ÷ ours: a slow minute of the machine falls on both and cancels."""
    return median(theirs[field] / own[field] for theirs, own in zip(peer[1:] or peer, ours[1:] or ours))


def print_table(solvers: list[Any], objective: str, threads: int) -> None:
    done = {solver.name: solver.runs for solver in solvers if solver.runs and "ready" in solver.state}
    for solver in solvers:
        if "missing" in solver.state:
            print(f"{solver.name}: skipped, {', '.join(solver.state['missing'])} is not installed")
        elif "unable" in solver.state:
            print(f"{solver.name}: skipped, {solver.state['unable']}")
        elif "error" in solver.state:
            print(f"{solver.name}: failed, {solver.state['error']}")
    if not done:
        return
    ours = done.get("unmix")
    print(f"{threads} threads; {objective}")
    print(f"{'':26}{'warm s':>9}{'CPU s':>9}{'cold s':>9}{'peak MB':>9}{'objective':>15}", end="")
    print(f"{'time÷ours':>11}{'CPU÷ours':>10}{'obj÷ours':>10}" if ours else "")
    for name, runs in done.items():
        row = summary(runs)
        print(
            f"{name:26}{row['wall']:9.3f}{row['cpu']:9.3f}{row['cold']:9.2f}{row['peak']:9.0f}{row['objective']:15.6g}",
            end="",
        )
        print(ratios(runs, ours) if ours else "")
    if ours and len(done) > 1:
        print_verdict(done)


def print_verdict(done: dict[str, list[dict[str, float]]]) -> None:
    """Each peer against the fastest of our variants that is at least as good as it."""
    variants = {name: runs for name, runs in done.items() if is_ours(name)}
    for peer, runs in done.items():
        if is_ours(peer):
            continue
        limit = EQUAL * summary(runs)["objective"]
        as_good = {name: own for name, own in variants.items() if summary(own)["objective"] <= limit}
        if not as_good:
            print(f"{peer}: reaches an objective that none of ours does")
            continue
        name = min(as_good, key=lambda name: summary(as_good[name])["wall"])
        wall, cpu = (paired_ratio(runs, as_good[name], field) for field in ("wall", "cpu"))
        quality = summary(as_good[name])["objective"] / summary(runs)["objective"]
        print(f"{peer} ÷ {name}: {wall:.2f}× wall, {cpu:.2f}× CPU, our objective ÷ its: {quality:.4f}")


def is_ours(name: str) -> bool:
    return name.split("_")[0] == "unmix"


def ratios(runs: list[dict[str, float]], ours: list[dict[str, float]]) -> str:
    quality = summary(runs)["objective"] / summary(ours)["objective"]
    return f"{paired_ratio(runs, ours, 'wall'):11.2f}{paired_ratio(runs, ours, 'cpu'):10.2f}{quality:10.4f}"
