"""Roles: the code of the tutorial, in cells. Run it from the folder of the project."""

# %% Read it
from unmix.roles import read
access = read("examples/access.csv", attributes="examples/users.csv")
print(access.matrix.shape, int(access.matrix.sum()))
print(sorted(access.permissions_of("Finance-07")))

# %% The fewest roles, with a proof
from unmix.roles import mine, name_roles
found = name_roles(mine(access))
print(len(found.roles), found.certificate, found.verify())

# %% The fewest roles, with a proof
users = {name: [user for user, held in found.assignments.items() if name in held] for name in found.roles}
for name in sorted(users, key=lambda name: (-len(users[name]), name)):
    print(f"held by {len(users[name]):2}: {name}")

# %% Twelve, for four departments?
import matplotlib.pyplot as plt
import numpy as np
X = access.matrix.toarray().astype(int)
held = np.array([[name in found.assignments[user] for name in found.roles] for user in access.users])
order = np.lexsort(~held.T[::-1])
columns = np.lexsort((-X.sum(axis=0), X.argmax(axis=0)))
figure, axes = plt.subplots(1, 2, figsize=(8, 3.6))
mixed = np.random.default_rng(0).permutation(len(X))
for axis, rows, title in zip(axes, (mixed, order), ("as it lies in the directory", "sorted by roles")):
    image = axis.imshow(X[rows][:, columns], cmap="Blues", aspect="auto", interpolation="nearest")
    text = axis.set(title=title, xlabel="permissions", ylabel="users", xticks=[], yticks=[])

# %% What does not belong
from unmix.roles import explain
for one in explain(found).exceptions:
    print(f"{one.user:15}{one.permission:15}{one.reason}")

# %% Who can pay herself?
from unmix.roles import conflicts, make_duty, without_conflicts
duty = make_duty(["pay:create", "pay:approve"])
print(duty.sentence)
print([(one.user, one.lost) for one in conflicts(access, [duty])])
left, taken = without_conflicts(access, [duty], risk={"pay:approve": 5})
print(taken, conflicts(mine(left), [duty]))

plt.show()
