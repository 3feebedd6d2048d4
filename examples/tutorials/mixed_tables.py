"""Mixed tables with holes: the code of the tutorial, in cells. Run it from the folder of the project."""

# %% What is missing
import numpy as np
import polars as pl
raw = pl.read_csv("examples/penguins_raw.csv", null_values="NA", try_parse_dates=True)
table = raw.select("Species", "Island", "Clutch Completion", "Culmen Length (mm)", "Culmen Depth (mm)",
                   "Flipper Length (mm)", "Body Mass (g)", "Sex", "Delta 15 N (o/oo)", "Delta 13 C (o/oo)")
print(table.shape, {name: n for name, n in table.null_count().row(0, named=True).items() if n})

# %% What is missing
print(len(table) - len(table.drop_nulls()))

# %% One model for all kinds
from unmix.decomposition import Factorization
model = Factorization(3, random_state=0).fit(table)
print(dict(zip(table.columns, model.kinds_)))

# %% One model for all kinds
from unmix.validation import select
chosen = select(Factorization(random_state=0), table, range(6), random_state=0)
print(chosen.best_params)

# %% Fill, and check
hide = np.arange(len(table)) % 8 == 0
holed = table.with_columns(pl.when(pl.Series(~hide)).then(pl.col("Body Mass (g)", "Sex")))
model = Factorization(**chosen.best_params, random_state=0).fit(holed)
filled = model.impute(holed)
known = hide & table["Body Mass (g)"].is_not_null().to_numpy()
true, told = (frame["Body Mass (g)"].to_numpy()[known] for frame in (table, filled))
print(f"off by {np.abs(true - told).mean():.0f} g, the mean by {np.abs(true - np.nanmean(holed['Body Mass (g)'])).mean():.0f} g")
known = hide & table["Sex"].is_not_null().to_numpy()
print(f"sex right: {(table['Sex'].to_numpy()[known] == filled['Sex'].to_numpy()[known]).mean():.0%} of {known.sum()}")

# %% How far to believe a cell
weighed = hide & table["Body Mass (g)"].is_not_null().to_numpy()
column = table.columns.index("Body Mass (g)")
low, high = (end[weighed, column] for end in model.impute_interval(holed, 0.9))
print(f"{((low <= true) & (true <= high)).mean():.0%} of the hidden weights lie in their interval of 90 %")

# %% How far to believe a cell
import matplotlib.pyplot as plt
order, places = np.argsort(told), np.arange(weighed.sum())
figure, axis = plt.subplots(figsize=(7, 3.2))
bars = axis.vlines(places, low[order], high[order], color="#bcd0e8", linewidth=5, label="interval of 90 %")
dots = axis.plot(places, told[order], "o", markersize=4, label="filled in")
marks = axis.plot(places, true[order], "_", color="black", markersize=9, label="true")
text, legend = axis.set(ylabel="body mass (g)", xticks=[], xlabel="penguins whose weight was hidden"), axis.legend()

# %% Now the real holes
filled = Factorization(**chosen.best_params, random_state=0).fit(table).impute(table)
print(sum(filled.null_count().row(0)))
unsexed = table.with_columns(told=filled["Sex"]).filter(pl.col("Sex").is_null() & pl.col("Body Mass (g)").is_not_null())
print(unsexed.group_by("told").agg(pl.len(), pl.col("Body Mass (g)").mean().round(0)).sort("told").rows())

plt.show()
