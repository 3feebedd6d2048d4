"""Wrong grants among noisy rights.

A tenth of the entries was drawn by chance. The roles behind them say which entries do not belong.

More: methods/role_mining.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.datasets import planted_roles
from unmix.roles import MultiAssignmentClustering

X, clean, roles, _ = planted_roles(300, 50, 5, noise=0.1, random_state=2)
model = MultiAssignmentClustering(5, random_state=0).fit(X)
told = model.assignments_ @ model.roles_ > 0
print(
    f"entries that differ from the truth: {(clean != X).mean():.1%} as given, {(told != clean).mean():.1%} by the roles"
)

order = np.lexsort(model.assignments_.T)
figure, axes = plt.subplots(1, 2)
for axis, table, title in zip(axes, (X, told), ("rights with errors", "rights by the roles")):
    axis.imshow(table[order], cmap="Purples", aspect="auto", interpolation="nearest")
    axis.set(title=title, xlabel="permissions", xticks=[], yticks=[])
axes[0].set_ylabel("users")
plt.show()
