"""Draws docs/assets/front{,-phone}.png: `explore` of the penguins and of a groupless cloud."""

import textwrap
from pathlib import Path

import matplotlib.pyplot as plt
import polars as pl
from matplotlib.figure import Figure

import unmix
from docs.making import picture
from unmix.datasets import gaussian

ROOT = Path(__file__).parents[2]
PLACES = {"Gentoo": (49.3, 13.4), "Chinstrap": (47.5, 21.9), "Adelie": (32.0, 22.2)}  # where a name covers no dots
PICTURES = [("front", (1, 3), (10.5, 3.7)), ("front-phone", (3, 1), (4.0, 8.4))]  # side by side, one below the other


def findings() -> dict:
    cloud = gaussian(300, 2, correlated=True, random_state=4)
    return {
        "penguins": unmix.explore(ROOT / "examples" / "penguins.csv"),
        "cloud": unmix.explore({"x": cloud[:, 0], "y": cloud[:, 1]}),
    }


def said(found) -> str:
    return found.selection.verdict.partition(". ")[0]


def shown() -> dict:
    """The answers that can be read in the picture."""
    found = findings()
    names = {cluster.name: cluster.size for cluster in found["penguins"].clusters}
    return {"verdicts": [said(one) for one in found.values()], "clusters": names}


def draw(axes, found: dict) -> None:
    table = pl.read_csv(ROOT / "examples" / "penguins.csv", null_values="NA")
    bills = table.select("bill_length_mm", "bill_depth_mm").to_numpy()
    axes[0].scatter(*bills.T, s=11, color=picture.GREY)
    axes[0].set_title("penguins.csv: 344 rows, four measurements")
    labels = found["penguins"].labels
    for cluster, colour in zip(found["penguins"].clusters, (picture.BLUE, picture.ORANGE, picture.GREEN)):
        rows = bills[labels == cluster.label]
        axes[1].scatter(*rows.T, s=11, color=colour)
        at = PLACES[cluster.name.partition(" = ")[2]]
        axes[1].text(*at, cluster.name, color=colour, weight="bold")
    axes[1].set_title("\n".join(textwrap.wrap(said(found["penguins"]), 40)))
    cloud = gaussian(300, 2, correlated=True, random_state=4)
    axes[2].scatter(*cloud.T, s=11, color=picture.GREY)
    axes[2].set_title("another table\n" + "\n".join(textwrap.wrap(said(found["cloud"]).partition(",")[0], 44)))
    for axis in axes:
        axis.set(xticks=[], yticks=[])
    for axis in axes[:2]:
        axis.set(xlim=(30.8, 61), ylim=(12.9, 22.8))
    axes[0].set(xlabel="bill length", ylabel="bill depth")
    axes[1].set_xlabel("what unmix says, groups named by what they share")
    axes[2].set_xlabel("it also says when there is nothing")


def figures() -> dict[str, Figure]:
    found, drawn = findings(), {}
    for name, shape, size in PICTURES:
        drawn[name], axes = plt.subplots(*shape, figsize=size)
        draw(axes, found)
    return drawn
