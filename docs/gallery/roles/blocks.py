"""Roles behind a table of rights.

Who may do what, as it lies in the directory and sorted by the roles found: the fewest there can be, proven.

More: roles.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.datasets import planted_roles
from unmix.roles import mine

X, _, roles, _ = planted_roles(120, 50, 6, max_roles_per_user=2, random_state=1)
found = mine(X)
print(f"{len(found.roles)} roles for {X.shape[0]} users and {X.shape[1]} permissions: {found.certificate}")
print(f"everybody keeps exactly what they have: {found.verify()}")

held = np.array([[role in found.assignments[user] for role in found.roles] for user in found.assignments])
given = np.array([[permission in of_role for permission in range(X.shape[1])] for of_role in found.roles.values()])
users, permissions = np.lexsort(~held.T[::-1]), np.lexsort(~given[::-1])
figure, axes = plt.subplots(1, 2)
for axis, table, title in zip(axes, (X, X[users][:, permissions]), ("as given", f"sorted by {len(found.roles)} roles")):
    axis.imshow(table, cmap="Blues", aspect="auto", interpolation="nearest")
    axis.set(title=title, xlabel="permissions", xticks=[], yticks=[])
axes[0].set_ylabel("users")
plt.show()
