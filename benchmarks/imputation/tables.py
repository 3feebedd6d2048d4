"""Ten real mixed tables that come with packages, as frames of pandas typed as a user would type them.

A table whose package is not installed is skipped.  Names of rows are dropped, long tables cut to some of their rows.
"""

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.imputation.further import FURTHER
from benchmarks.imputation.unseen import UNSEEN

ROWS = 1500  # the most of a table; imputers by neighbours and by copulas are slow


def load(name: str, rows: int = ROWS) -> pd.DataFrame:
    """Raises ModuleNotFoundError where the package that brings the table is not there."""
    frame = (TABLES | UNSEEN | FURTHER)[name]()
    return frame.sample(rows, random_state=0).reset_index(drop=True) if len(frame) > rows else frame


def _file(package: str, path: str) -> Path:
    found = find_spec(package)
    if found is None or found.origin is None:
        raise ModuleNotFoundError(f"{package}, which brings the table, is not installed")
    return Path(found.origin).parent / path


def _read(package: str, path: str, **options: Any) -> pd.DataFrame:
    return pd.read_csv(_file(package, path), **options)


def _typed(frame: pd.DataFrame, ordered: Any = (), category: Any = (), boolean: Any = ()) -> pd.DataFrame:
    """Columns with levels in their order, without an order, and of yes and no; text is a category anyway."""
    for name in ordered:
        levels = ordered[name] if isinstance(ordered, dict) else None
        levels = sorted(frame[name].dropna().unique()) if levels is None else levels
        frame[name] = pd.Categorical(frame[name], levels, ordered=True)
    for name in category:
        frame[name] = pd.Categorical(frame[name])
    for name in boolean:
        levels = sorted(frame[name].dropna().unique())
        frame[name] = frame[name].map({levels[0]: False, levels[1]: True}).astype("boolean")
    return frame


def penguins() -> pd.DataFrame:
    return _typed(_read("palmerpenguins", "data/penguins.csv"), boolean=["sex"])


def diamonds() -> pd.DataFrame:
    grades = {
        "cut": ["Fair", "Good", "Very Good", "Premium", "Ideal"],
        "color": list("JIHGFED"),
        "clarity": ["I1", "SI2", "SI1", "VS2", "VS1", "VVS2", "VVS1", "IF"],
    }
    return _typed(_read("plotnine", "data/diamonds.csv"), ordered=grades)


def fuel() -> pd.DataFrame:
    return _read("plotnine", "data/mpg.csv").drop(columns="model")


def election() -> pd.DataFrame:
    frame = _read("statsmodels", "datasets/anes96/anes96.csv", sep="\t", quotechar="'")
    return _typed(frame, ordered=["TVnews", "selfLR", "ClinLR", "DoleLR", "PID", "educ", "income"], boolean=["vote"])


def marriages() -> pd.DataFrame:
    frame = _read("statsmodels", "datasets/fair/fair.csv")
    return _typed(frame, ["rate_marriage", "religious", "educ"], ["occupation", "occupation_husb"])


def cars() -> pd.DataFrame:
    frame = pd.DataFrame(json.loads(_file("vega_datasets", "_data/cars.json").read_text()))
    return frame.drop(columns="Name").assign(Year=pd.to_datetime(frame["Year"]))


def breast_cancer() -> pd.DataFrame:
    frame = _read("lifelines", "datasets/gbsg2.csv")
    return _typed(frame, ordered={"tgrade": ["I", "II", "III"]}, boolean=["horTh", "menostat", "cens"])


def lung_cancer() -> pd.DataFrame:
    frame = _read("lifelines", "datasets/lung.csv").drop(columns="inst")
    return _typed(frame, ordered=["ph.ecog"], boolean=["status", "sex"])


def aids_trial() -> pd.DataFrame:
    truth = ["hemo", "homo", "drugs", "oprior", "z30", "race", "gender", "str2", "symptom", "treat", "offtrt", "cens"]
    frame = _read("lifelines", "datasets/ACTG175.csv").drop(columns=["Unnamed: 0", "pidnum", "zprior", "r"])
    return _typed(frame, ordered=["karnof", "strat"], category=["arms"], boolean=truth)


def weather() -> pd.DataFrame:
    return _read("vega_datasets", "_data/seattle-weather.csv", parse_dates=["date"])


TABLES = {
    table.__name__: table
    for table in (
        penguins, diamonds, fuel, election, marriages, cars, breast_cancer, lung_cancer, aids_trial, weather,
    )
}  # fmt: skip
