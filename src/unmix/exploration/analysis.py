"""What is looked for in a prepared table: components, clusters, groups inside them, and a place for every row."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from unmix.exploration.columns.preparation import Prepared
from unmix.exploration.levels.tree import Branches, find_branches
from unmix.exploration.parts.final_fit import fit_to_all
from unmix.exploration.parts.places import PlacesInFiles, place_in_files
from unmix.exploration.recognition.choice import MADE_POINTS
from unmix.exploration.recognition.form import Form
from unmix.exploration.recognition.rows import regroup
from unmix.exploration.structure.all_rows import Places, place_all
from unmix.exploration.structure.cloud import coded, fit_cloud
from unmix.exploration.structure.clustering import Clustering, find_clusters
from unmix.exploration.structure.evaluation_set import Axes, Rows, axes_of, evaluation_set, look_at_rows
from unmix.exploration.structure.ledger_lines import Pending, begin_ledger
from unmix.exploration.structure.one_pair import one_pair
from unmix.exploration.structure.spectrum import Components, principal_components
from unmix.exploration.structure.without import dependence_in_words, depends_on
from unmix.io.long_table import LongTable

_most_features = 10  # with more, clusters are sought in the components that stand out of the noise
_most_noisy_features = 64  # with more of which none stands out, in the first few: groups would stand out there
_few_axes = 10


class Question(NamedTuple):
    """A table as it was read and prepared, and what is asked: at most `max_k` clusters, or `k` of them."""

    data: LongTable
    prepared: Prepared
    form: Form
    max_k: int
    k: int | None
    seed: int


class Analysis(NamedTuple):
    """Everything that was found, to be described."""

    question: Question
    looked_at: Rows
    components: Components
    clustering: Clustering
    branches: Branches
    places: Places | PlacesInFiles
    ledger: Pending | None  # it needs nothing of the above, and is asked for at the end
    n_passes: int = 0  # over all rows, that the final fit of the clusters took

    @property
    def tells_of_all(self) -> bool:
        """Whether not all rows were looked at, and the others can be read as these were."""
        return not self.question.data.is_whole and self.question.form.name not in MADE_POINTS


def analyse(question: Question, say: Callable[[str], None]) -> Analysis:
    """Components, then clusters, then groups inside them; `say` is told before each step."""
    data, prepared, form, max_k, k, seed = question
    say("computing principal components")
    looked_at = look_at_rows(prepared, seed)
    ledger = begin_ledger(prepared, looked_at, seed)
    components = principal_components(
        prepared.X, prepared.owner, prepared.features, seed, prepared.holes, looked_at.ordered, looked_at.apart
    )
    say("counting clusters")
    clustering = _cluster(prepared, looked_at, components, max_k, seed, k)
    if form.name in MADE_POINTS:
        clustering = regroup(form, prepared, clustering, seed)
    elif k is None:
        say("asking whether it hangs on one column")
        found = depends_on(prepared, looked_at, clustering.selection, max_k, seed)
        prepared.warnings.extend(dependence_in_words(found, clustering.selection.chosen_k))
    n_passes = 0
    if not data.is_whole and form.name not in MADE_POINTS:
        say("fitting the clusters to all rows")
        clustering, n_passes = fit_to_all(data, prepared, clustering, seed)
    if not data.is_whole:
        say("giving every row its cluster")
    branches = find_branches(prepared, looked_at, clustering, seed)
    ways = branches.paths if branches.deep else None
    places: Places | PlacesInFiles
    if data.files is not None and (data.files.client is not None or not data.is_whole) and form.name not in MADE_POINTS:
        places = place_in_files(data, data.files, prepared, clustering, seed, ways)
    else:
        places = place_all(data, prepared, clustering, seed, ways)
    return Analysis(question, looked_at, components, clustering, branches, places, ledger, n_passes)


def _cluster(
    prepared: Prepared, looked_at: Rows, components: Components, max_k: int, seed: int, k: int | None = None
) -> Clustering:
    """Cluster the rows, where there are many features after projecting on the components that stand out.

    The projection stays in the feature space, X̂ = mean + (scores) (directions): the nearest centre of x is that of x̂,
    so the model also serves rows that were not projected.
    """
    X, m = prepared.X, components.spectrum.n_suggested
    directions = m if len(set(prepared.owner.tolist())) > 1 else None
    if prepared.category.any():
        cloud = fit_cloud(prepared, looked_at.numbers, seed)
        evaluated = evaluation_set(prepared, looked_at, None, cloud)
        evaluated = evaluated._replace(pair=partial(one_pair, prepared, looked_at, seed))
        found = find_clusters(coded(X, cloud), evaluated, max_k, seed, k, directions)
        return found._replace(axes=axes_of(cloud))
    axes = _axes(prepared, components)
    if axes is None:
        return find_clusters(X, evaluation_set(prepared, looked_at, None), max_k, seed, k, directions)
    X = components.mean + components.scores[:, : len(axes.directions)] @ axes.directions
    found = find_clusters(X, evaluation_set(prepared, looked_at, axes), max_k, seed, k, directions)
    return found._replace(axes=axes)


def _axes(prepared: Prepared, components: Components) -> Axes | None:
    m = n_axes(prepared, components.spectrum.n_suggested)
    return Axes(components.directions[:m], components.mean) if m else None


def n_axes(prepared: Prepared, n_suggested: int) -> int:
    """On how many components rows are projected, 0 where they are not.

    Components of categories are neither flat nor discrete, so that chance could not be told from structure there.
    """
    d = prepared.X.shape[1]
    if prepared.category.any() or d <= _most_features:
        return 0
    if n_suggested == 0:
        return min(_few_axes, len(prepared.X) - 1) if d > _most_noisy_features else 0
    return n_suggested if n_suggested < d else 0
