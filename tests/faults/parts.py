"""The parts of the harness by name."""

from tests.faults.archives import checkpoints, models
from tests.faults.arguments import arguments
from tests.faults.cells import cells
from tests.faults.clusters import clusters
from tests.faults.disk import disk
from tests.faults.forms import same_bits
from tests.faults.interrupts import interrupts
from tests.faults.killed_commands import killed_commands
from tests.faults.kills import kills
from tests.faults.order import order
from tests.faults.parameters import parameters
from tests.faults.part import Part
from tests.faults.places import places
from tests.faults.power import power
from tests.faults.readers import readers
from tests.faults.replays import replays
from tests.faults.requests import requests
from tests.faults.results import results
from tests.faults.soak import soak
from tests.faults.workers import workers

PARTS: dict[str, Part] = {
    "readers": readers,
    "models": models,
    "parameters": parameters,
    "checkpoints": checkpoints,
    "arguments": arguments,
    "replays": replays,
    "results": results,
    "places": places,
    "requests": requests,
    "disk": disk,
    "interrupts": interrupts,
    "kills": kills,
    "killed-commands": killed_commands,
    "forms": same_bits,
    "order": order,
    "cells": cells,
    "power": power,
    "soak": soak,
    "workers": workers,
    "clusters": clusters,
}
