"""One table cut into files, of every format and layout."""

import numpy as np
import polars as pl

NAMES = ["a", "b", "c", "d"]
WRITE = {"parquet": "write_parquet", "csv": "write_csv", "arrow": "write_ipc"}


def numbers(n: int = 20_000) -> np.ndarray:
    """Two groups, so that clusters are the same however often they are sought."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    X[rng.random(n) < 0.4] += 4
    return X


def cuts(n: int, size: int = 1733) -> list[tuple[int, int]]:
    """Twelve files and more, none of which ends where a leaf does."""
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def write(frame: pl.DataFrame, folder, ending: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for i, (start, stop) in enumerate(cuts(frame.height)):
        part = frame[start:stop]
        if ending == "npy":
            np.save(folder / f"part-{i}.npy", part.to_numpy())
        else:
            getattr(part, WRITE[ending])(folder / f"part-{i}.{ending}")


def write_hive(frame: pl.DataFrame, folder) -> pl.DataFrame:
    """Files below folders of a year and a city, and the table they are together."""
    parts = []
    for i, (start, stop) in enumerate(cuts(frame.height)):
        year, city = 2020 + i // 6, "AB"[i // 3 % 2]
        place = folder / f"year={year}" / f"city={city}"
        place.mkdir(parents=True, exist_ok=True)
        frame[start:stop].write_parquet(place / f"part-{i}.parquet", row_group_size=500)
        parts.append(frame[start:stop].with_columns(year=pl.lit(year, pl.Int64), city=pl.lit(city)))
    return pl.concat(parts)
