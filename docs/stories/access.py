"""Who needs which key? Real access tables, and the fewest roles there can be.

Data: HP Labs access data (Ene et al. 2008), not shipped: its licence is not stated.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from unmix.roles import explain, mine, read

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "roles"
PUBLISHED = {"healthcare": (29, 14), "domino": (64, 20), "emea": (242, 34)}  # FastMiner; the best of 2025
if not FOLDER.is_dir():
    sys.exit(f"the access data of HP Labs are not at {FOLDER}")

found = {}
for name, (fast_miner, best) in PUBLISHED.items():
    access = read(np.loadtxt(FOLDER / f"{name}.txt", dtype=int).tolist())
    found[name] = roles = mine(access)
    held = sum(len(roles_of) for roles_of in roles.assignments.values())
    print(
        f"{name}: {access.matrix.nnz} grants to {len(access.users)} users are {len(roles.roles)} roles, "
        f"{roles.certificate}, and {held} assignments; exact: {roles.verify()}"
    )
    print(f"  FastMiner {fast_miner}, best published {best}")

story = found["healthcare"]
odd = explain(story)
print("healthcare: nearly everybody holds", len(odd.birthright), "permissions, which need no request")

access = read(np.loadtxt(FOLDER / "healthcare.txt", dtype=int).tolist())
held = np.array([[name in story.assignments[user] for name in story.roles] for user in access.users])
given = np.array([[one in of_role for one in access.permissions] for of_role in story.roles.values()])
X = access.matrix.toarray()
figure, axes = plt.subplots(1, 2, figsize=(8, 3.8))
views = {
    "as it lies in the directory": X,
    "sorted by the 14 roles": X[np.lexsort(~held.T[::-1])][:, np.lexsort(~given[::-1])],
}
for axis, (title, view) in zip(axes, views.items()):
    axis.imshow(view, cmap="Blues", interpolation="nearest")
    axis.set(title=title, xlabel="permissions", ylabel="users", xticks=[], yticks=[])
plt.show()
