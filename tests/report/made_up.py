"""Findings made up for the report's tests: any number of rows, columns and clusters, complete as a real answer."""

from itertools import pairwise
from typing import Any

import numpy as np


def made_up(
    n_rows: int = 300, n_columns: int = 5, k: int = 3, n_points: int | None = None, seed: int = 0
) -> dict[str, Any]:
    """A whole answer as `Findings.to_dict()` would give it."""
    rng = np.random.default_rng(seed)
    names = [f"measure_{j}" for j in range(n_columns)]
    shares = rng.dirichlet(np.full(k, 6.0))
    mapped = points(n_rows if n_points is None else n_points, n_rows, k, rng)
    return {
        "version": "0.1.0",
        "command": "unmix explore table.csv --seed 0",
        "seed": 0,
        "created": "2026-01-02T03:04:05Z",
        "source": {
            "name": "table.csv",
            "n_rows": n_rows,
            "n_columns": n_columns,
            "bytes": 12345,
            "how": "CSV, comma, UTF-8, with a header.",
        },
        "columns": [column(name, rng) for name in names],
        "missing": {"n_cells": 19, "fraction": 0.0079, "treatment": "Integrated out.", "n_rows_dropped": 0},
        "spectrum": spectrum(n_columns),
        "selection": selection(k),
        "clusters": [cluster(label, float(shares[label]), n_rows, names, k, rng) for label in range(k)],
        "map": mapped,
        "warnings": ["measure_0 has one value far outside the others (row 17)."],
        "caveats": ["Clusters are taken to be ellipses.", "Rows are taken to be independent."],
        "levels": [level(str(label), float(shares[label]), n_rows) for label in range(k)] if k > 1 else [],
        "alternatives": [alternative(other, mapped["label"], rng) for other in range(2, 7) if other < n_rows],
        "associations": associations(names, n_rows),
        "ledger": ledger(n_rows),
        "rows": row_table(names, len(mapped["x"]), n_rows, rng),
        "settings": {},
    }


def level(path: str, fraction: float, n_rows: int, depth: int = 0) -> dict[str, Any]:
    inner = [level(f"{path}.{j}", fraction / 2, n_rows, 1) for j in range(2)] if path == "0" else []
    return {
        "path": path,
        "size": round(fraction * n_rows),
        "fraction": fraction,
        "name": f"high measure_{path}",
        "probability": 0.8 if inner else 0.04,
        "sentence": "splits again into 2, fairly clear" if inner else "no further clusters beyond chance",
        "children": inner,
    }


def alternative(k: int, labels: list[int], rng: np.random.Generator) -> dict[str, Any]:
    chosen = max(labels) + 1
    found = labels if k == chosen else [int(x) for x in np.array(labels) % k]
    if k > chosen:
        found = [int(rng.integers(chosen, k)) if rng.random() < 0.2 else label for label in labels]
    sizes = np.bincount(found, minlength=k).tolist()
    return {
        "k": k,
        "probability": 0.9 if k == chosen else 0.01,
        "labels": found,
        "sizes": sizes,
        "names": [f"high measure_{label}" for label in range(k)],
    }


def association(first: str, second: str, bits: float) -> dict[str, Any]:
    return {
        "columns": [first, second],
        "bits": bits,
        "error": 0.03,
        "share": bits / 2,
        "p_value": 0.001,
        "n_rows": 300,
        "sentence": f"{first} rises with {second}",
    }


def odd_row(row: int, names: list[str], reason: str) -> dict[str, Any]:
    return {"row": row, "values": dict.fromkeys(names, 40.5), "reason": reason}


def associations(names: list[str], n_rows: int) -> dict[str, Any]:
    pairs = [association(first, second, 0.9 / (i + 1)) for i, (first, second) in enumerate(pairwise(names[:6]))]
    return {
        "sentence": f"{len(pairs)} pairs of columns go together beyond chance.",
        "pairs": pairs,
        "n_pairs": len(names) * (len(names) - 1) // 2,
        "redundant": [f"{names[0]} repeats {names[-1]} in another unit."] if len(names) > 1 else [],
        "gaps": [f"{names[0]} and {names[-1]} are missing together in 2 rows."],
        "described": [association("target", "clusters", 1.1)],
        "odd_rows": [odd_row(min(17, n_rows), names, f"{names[0]} is 9 deviations off")],
    }


def ledger(n_rows: int) -> dict[str, Any]:
    kinds = [("independent", 7.9, 0.0, "no relation"), ("factors", 4.4, 3.5, "2 factors"), ("groups", 5.1, 2.8, "3")]
    kinds += [("both", 4.0, 3.9, "2 factors, 3 groups")]
    return {
        "leader": "factors",
        "sentence": "Factors explain 3.5 of 3.9 bits, groups add 0.4 ± 0.1.",
        "kinds": [
            {
                "kind": kind,
                "bits": bits,
                "error": 0.1,
                "saved": saved,
                "saved_error": 0.1 * (saved > 0),
                "foretold": saved,
                "size": size,
            }
            for kind, bits, saved, size in kinds
        ],
        "n_rows": n_rows,
        "notes": ["Bits of a held-out row, over five parts of the table."],
    }


def row_table(names: list[str], n_points: int, n_rows: int, rng: np.random.Generator) -> dict[str, Any]:
    values: list[list[Any]] = []
    for name in names:
        cells = rng.normal(40, 6, n_points).round(2).tolist()
        levels = ["Biscoe", "Dream", "Torgersen"]
        values.append([levels[int(cell) % 3] for cell in cells] if name.endswith("3") else cells)
    values[0][0] = None
    return {
        "columns": names,
        "values": values,
        "ids": [f"id-{i}" for i in range(n_points)],
        "sentence": f"All {n_rows} rows with all {len(names)} columns are in this page.",
    }


def column(name: str, rng: np.random.Generator) -> dict[str, Any]:
    if name.endswith("3"):
        levels = [
            {"value": value, "count": count} for value, count in (("Biscoe", 168), ("Dream", 124), ("Torgersen", 52))
        ]
        return {
            "name": name,
            "kind": "category",
            "used": True,
            "what": "One column a level.",
            "n_missing": 0,
            "n_unique": 3,
            "summary": {"levels": levels, "n_other": 0},
            "reason": "3 different values",
            "form": "category",
            "describes": True,
            "n_rows": 300,
        }
    counts, edges = np.histogram(rng.normal(40, 6, 400), bins=24)
    summary = {
        "min": float(edges[0]),
        "q25": 36.0,
        "median": 40.0,
        "q75": 44.0,
        "max": float(edges[-1]),
        "mean": 40.0,
        "std": 6.0,
        "skewness": 0.0,
    }
    summary["histogram"] = {"edges": edges.tolist(), "counts": counts.tolist()}
    return {
        "name": name,
        "kind": "numeric",
        "used": True,
        "what": "Centred and scaled.",
        "n_missing": 2,
        "n_unique": 164,
        "summary": summary,
        "reason": "numbers with decimals",
        "form": "numeric",
        "describes": True,
        "n_rows": 300,
    }


def spectrum(n_columns: int) -> dict[str, Any]:
    ratios = 0.6 ** np.arange(n_columns)
    loadings = [[{"column": f"measure_{j}", "weight": 0.7 - 0.1 * j} for j in range(min(3, n_columns))]] * min(
        2, n_columns
    )
    return {
        "explained_variance_ratio": (ratios / ratios.sum()).tolist(),
        "reference": np.linspace(1.2, 0.8, n_columns).__truediv__(n_columns).tolist(),
        "n_suggested": min(2, n_columns),
        "sentence": "Two directions carry more variance than chance would.",
        "loadings": loadings,
    }


def selection(k: int) -> dict[str, Any]:
    grid = list(range(1, max(10, k) + 1))
    verdict = (
        f"{k} groups, and they replicate. They come back on resampled rows, and every criterion agrees."
        if k > 1
        else "No cluster structure beyond chance. One group describes the table as well as any other number would."
    )
    bic = {
        "name": "BIC",
        "values": [5000 + 60 * abs(g - k) ** 1.2 for g in grid],
        "errors": [25.0] * len(grid),
        "best": k,
        "higher_is_better": False,
        "what": "Misfit plus a price for each parameter.",
    }
    stability = {
        "name": "Stability",
        "values": [None, *(0.95 - 0.06 * abs(g - k) for g in grid[1:])],
        "errors": [None, *([0.03] * (len(grid) - 1))],
        "best": k if k > 1 else None,
        "higher_is_better": True,
        "what": "How alike the clusterings of two resamples are.",
    }
    return {
        "k": grid,
        "criteria": [bic, stability],
        "chosen_k": k,
        "verdict": verdict,
        "confidence": 0.96,
        "n_rows_used": 300,
        "probability": 0.97 if k > 1 else 0.02,
        "probabilities": [0.03 if k > 1 else 0.98, *(0.9 * (g == k) for g in grid[1:])],
    }


def cluster(
    label: int, fraction: float, n_rows: int, names: list[str], k: int, rng: np.random.Generator
) -> dict[str, Any]:
    distinct: list[dict[str, Any]] = []
    for name in names[:5] if k > 1 else []:
        if name.endswith("3"):
            distinct.append(
                {
                    "column": name,
                    "sentence": f"{name} = Biscoe: 84 % vs 49 % overall",
                    "effect": 0.9,
                    "inside": 0.84,
                    "overall": 0.49,
                    "level": "Biscoe",
                }
            )
        else:
            effect = float(rng.normal())
            distinct.append(
                {
                    "column": name,
                    "sentence": f"{name} {'higher' if effect > 0 else 'lower'}: {40 + 6 * effect:.1f} vs 40 overall",
                    "effect": effect,
                    "inside": 40 + 6 * effect,
                    "overall": 40.0,
                    "level": None,
                }
            )
    rows = [
        {
            "row": int(rng.integers(n_rows)) + 1,
            "values": {name: float(rng.normal(40, 6)) for name in names},
            "reason": "",
        }
        for _ in range(3)
    ]
    return {
        "label": label,
        "size": round(fraction * n_rows),
        "fraction": fraction,
        "name": f"high measure_{label}",
        "stability": 0.93,
        "confidence": 0.9,
        "distinct": distinct,
        "typical_rows": rows,
        "rule": rule(names, label) if k > 1 else None,
        "borderline_rows": [odd_row(rows[0]["row"], names, "nearly as close to cluster 1")] if k > 1 else [],
        "odd_rows": [odd_row(rows[1]["row"], names, "far from every row of its cluster")] if k > 1 else [],
    }


def rule(names: list[str], label: int) -> dict[str, Any]:
    return {
        "sentence": f"{names[0]} over {40 + label}",
        "conditions": [{"column": names[0], "low": 40.0 + label, "high": None, "levels": []}],
        "precision": 0.95,
        "recall": 0.9,
    }


def points(n_points: int, n_rows: int, k: int, rng: np.random.Generator) -> dict[str, Any]:
    label = rng.integers(k, size=n_points)
    angle = 2 * np.pi * label / k
    place = 3 * (k > 1) * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(size=(n_points, 2))
    return {
        "x": place[:, 0].tolist(),
        "y": place[:, 1].tolist(),
        "label": label.tolist(),
        "row": np.sort(rng.choice(n_rows, n_points, replace=False) + 1).tolist(),
        "confidence": rng.uniform(0.4, 1, n_points).tolist(),
        "x_label": "component 1 (62 %)",
        "y_label": "component 2 (19 %)",
        "n_shown": n_points,
        "n_total": n_rows,
    }
