"""Factors or groups?

Two tables of the same size; what describes each in the fewest bits, on rows that were held out.

More: methods/ledger.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.datasets import blobs
from unmix.validation import ledger

rng = np.random.default_rng(0)
tables = {
    "groups": blobs(150, 5, 4, random_state=0)[0],
    "factors": rng.normal(size=(150, 2)) @ rng.normal(size=(2, 5)) + 0.4 * rng.normal(size=(150, 5)),
}
kinds = ["factors", "groups", "parts", "sources"]
for i, (name, X) in enumerate(tables.items()):
    found = ledger(X, random_state=0)
    saved = {line["kind"]: line["saved"] for line in found.table}
    print(f"{name}: {found.leader}")
    plt.bar(np.arange(4) + 0.4 * (i - 0.5), [saved[kind] for kind in kinds], width=0.36, label=name)
plt.xticks(range(4), kinds)
plt.ylabel("bits saved a row")
plt.ylim(0, 1.5 * plt.ylim()[1])
plt.legend(title="the table was made of", ncols=2, loc="upper center")
plt.show()
