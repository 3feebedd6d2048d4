"""A first table: the code of the tutorial, in cells. Run it from the folder of the project."""

# %% Look
import polars as pl
penguins = pl.read_csv("examples/penguins.csv", null_values="NA")
print(penguins.shape)
print(penguins.columns)

# %% Ask
import unmix
findings = unmix.explore("examples/penguins.csv")
print(findings.selection.verdict.partition(". ")[0])

# %% Ask
print(findings.selection.verdict.split(". ")[1])

# %% What was done with each column
for column in findings.columns:
    print(f"{column.name:18}{column.kind:10}{column.what}")

# %% The groups
for cluster in findings.clusters:
    print(f"{cluster.size:4} rows  {cluster.name}")

# %% The groups
table = penguins.with_columns(group=pl.Series(findings.labels)).filter(pl.col("group") >= 0)
print(table.group_by("species", "group").len().sort("species", "group").rows())

# %% The groups
import matplotlib.pyplot as plt
figure, axes = plt.subplots(1, 2, figsize=(8, 3.4), sharey=True)
for axis, by, title in zip(axes, ("group", "species"), ("what was found", "what they are")):
    for name, rows in table.group_by(by, maintain_order=True):
        dots = axis.plot(rows["bill_length_mm"], rows["bill_depth_mm"], ".", label=name[0])
    text = axis.set(xlabel="bill length (mm)", title=title)
    legend = axis.legend()
label = axes[0].set_ylabel("bill depth (mm)")

# %% How sure is each row?
unsure = table.with_columns(sure=pl.Series(findings.confidence[findings.labels >= 0])).filter(pl.col("sure") < 0.8)
print(len(unsure), sorted(set(unsure["species"])))

# %% Before you rely on it
print(findings.warnings[0])

# %% Keep it, use it
folder = findings.save("first-look")
print(sorted(path.name for path in folder.iterdir()))
new = unmix.assign("first-look", penguins.head(3))
print(new.labels.tolist())

plt.show()
