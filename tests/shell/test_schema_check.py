"""Every public model that is saved is loaded, and a crafted file whose arrays do not belong together is refused."""

import hashlib
import io
import json
import zipfile

import numpy as np
import polars as pl
import pytest

import unmix
from tests.relations.subjects import SUBJECTS
from unmix.cluster import KMeans, MiniBatchKMeans, PairwiseClustering, SoftKMeans
from unmix.decomposition import NMF, CollaborativeFilter, Factorization
from unmix.density import Categorical, GaussianMixture, HistogramDensity
from unmix.embedding import LocallyLinearEmbedding
from unmix.separation import OnlineICA
from unmix.shell.fitted_schema import SCHEMAS
from unmix.shell.persistence import CLASSES, _fitted
from unmix.shell.schema_check import check_fitted

rng = np.random.default_rng(0)
X = rng.random((40, 5))
GAPS = np.where(rng.random((40, 5)) < 0.1, np.nan, X)
MIXED = pl.DataFrame({"a": X[:, 0], "b": rng.choice(["x", "y", "z"], 40), "c": X[:, 1] > 0.5, "d": X[:, 2]})
SAVED = {name: subject for name, subject in SUBJECTS.items() if type(subject.make(1.0)).__name__ in CLASSES}
OTHER_STATES = {
    "mixed columns": lambda: Factorization(2, random_state=0).fit(MIXED),
    "free codes": lambda: Factorization(2, codes="free", random_state=0, max_iter=20).fit(MIXED),
    "codes of batches": lambda: Factorization(2, codes="free", random_state=0).fit(X).partial_fit(X),
    "first rows of centres": lambda: MiniBatchKMeans(3, random_state=0).partial_fit(X[:4]),
    "first rows of soft centres": lambda: SoftKMeans(3, random_state=0).partial_fit(X[:4]),
    "sparse first rows": lambda: MiniBatchKMeans(3, random_state=0).partial_fit(sparse(X[:4])),
    "first rows of a mixture": lambda: GaussianMixture(2, random_state=0).partial_fit(X[:10]),
    "missing cells": lambda: GaussianMixture(2, covariance_type="diag", missing="ignore").fit(GAPS).partial_fit(GAPS),
    "tied": lambda: GaussianMixture(2, covariance_type="tied", random_state=0).fit(X),
    "spherical": lambda: GaussianMixture(2, covariance_type="spherical", random_state=0).fit(X),
    "fixed": lambda: GaussianMixture(2, covariance_type="fixed", covariance=1.0, random_state=0).fit(X),
    "draws": lambda: PairwiseClustering(2, temperature=0.1, inference="gibbs", random_state=0).fit(X),
    "rows held by a stream": lambda: OnlineICA(3, random_state=0).partial_fit(rng.laplace(size=(300, 3))),
    "words": lambda: Categorical().fit(np.array([["a", "x"], ["b", "y"]], dtype=object)),
    "ratings with names": lambda: CollaborativeFilter(1).fit_ratings(list("uvuw"), list("iijj"), [1.0, 2.0, 3.0, 5.0]),
    "parts of batches": lambda: NMF(2, random_state=0).partial_fit(X),
}


def sparse(rows):
    from scipy.sparse import csr_array

    return csr_array(rows)


def fitted(name):
    subject = SAVED[name]
    return subject.make(1.0).fit(subject.table(subject.n, np.random.default_rng(0)))


def members_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def crafted(path, change):
    """The file as somebody would write it who knows the format: with digests of what it holds now."""
    members = members_of(path)
    document = json.loads(members["document.json"])
    change(document, members)
    document["arrays"] = [hashlib.sha256(members[f"{i}.npy"]).hexdigest() for i in range(len(document["arrays"]))]
    members["document.json"] = json.dumps(document).encode()
    members["digest"] = hashlib.sha256(members["document.json"]).hexdigest().encode()
    out = path.with_name("crafted.unmix")
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out


def refused(path, words=""):
    with pytest.raises(
        ValueError, match=rf"(?s)crafted.unmix is not a model that this version of unmix can load.*{words}"
    ):
        unmix.load(path)


def test_every_model_has_a_schema():
    assert set(SCHEMAS) == set(CLASSES)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", SAVED)
def test_what_is_saved_is_loaded_and_every_array_is_held_to_its_kind_and_columns(name, tmp_path):
    model, path = fitted(name), tmp_path / "m.unmix"
    model.save(path)
    assert vars(unmix.load(path)).keys() >= _fitted(model).keys()
    d = model.n_features_in_
    document = json.loads(members_of(path)["document.json"])
    places = [entry["array"] for _, entry in document["fitted"]["dict"] if isinstance(entry, dict) and "array" in entry]
    for place in places:
        array = np.load(io.BytesIO(members_of(path)[f"{place}.npy"]))
        for other in wrong(array, d):
            refused(
                crafted(
                    path, lambda _, members, place=place, other=other: members.update({f"{place}.npy": packed(other)})
                )
            )


def wrong(array, d):
    """Arrays that cannot stand where this one does: of another kind, another dimension, without one of d columns."""
    yield array.astype(np.complex128)
    yield array[..., None, None, None]
    if array.ndim > 1:
        yield from (np.delete(array, 0, axis) for axis, length in enumerate(array.shape) if length == d)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", OTHER_STATES)
def test_other_states_of_a_fit_are_loaded_too(name, tmp_path):
    model = OTHER_STATES[name]()
    model.save(tmp_path / "m.unmix")
    assert _fitted(unmix.load(tmp_path / "m.unmix")).keys() == _fitted(model).keys()


def change_attributes(**new):
    def change(document, members):
        kept = [[name, value] for name, value in document["fitted"]["dict"] if name not in new]
        document["fitted"]["dict"] = kept + [[name, value] for name, value in new.items() if value is not None]

    return change


def with_array(name, array):
    def change(document, members):
        members[f"{len(document['arrays'])}.npy"] = packed(array)
        document["arrays"].append("")
        change_attributes(**{name: {"array": len(document["arrays"]) - 1}})(document, members)

    return change


def many_columns(document, members):
    change_attributes(n_features_in_=2_000_000)(document, members)
    with_array("cluster_centers_", np.zeros((3, 1)))(document, members)


CENTRES = {
    "narrow centres of many columns": (many_columns, r"cluster_centers_ is an array of float64 of shape \(3, 1\)"),
    "columns not said": (change_attributes(n_features_in_=None), "how many columns"),
    "columns below none": (change_attributes(n_features_in_=-5), "n_features_in_ is -5"),
    "columns that are text": (change_attributes(n_features_in_="5"), "n_features_in_ is '5'"),
    "columns that are true": (change_attributes(n_features_in_=True), "n_features_in_ is True"),
    "a strange attribute": (change_attributes(surprise_=1), "surprise_ is nothing such a model has"),
    "an array of half precision": (with_array("cluster_centers_", np.zeros((3, 5), "f2")), "float16"),
    "a dtype that is none": (change_attributes(_fit_dtype="O"), "_fit_dtype is 'O'"),
    "names that are numbers": (change_attributes(feature_names_in_={"names": [1, 2, 3, 4, 5]}), "no text"),
    "a name too few": (change_attributes(feature_names_in_={"names": ["a"]}), "feature_names_in_"),
    "a number beyond all": (change_attributes(inertia_={"float": "0x1p99999"}), "too large"),
    "no list": (change_attributes(trace_={"list": 7}), "not iterable"),
}


@pytest.mark.parametrize("case", CENTRES)
def test_crafted_centres_are_refused(case, tmp_path):
    KMeans(3, random_state=0).fit(X).save(tmp_path / "m.unmix")
    change, words = CENTRES[case]
    refused(crafted(tmp_path / "m.unmix", change), words)


def test_a_covariance_of_another_type_is_refused(tmp_path):
    GaussianMixture(3, covariance_type="diag", random_state=0).fit(X).save(tmp_path / "m.unmix")

    def full(document, members):
        document["parameters"]["dict"] = [
            [name, "full" if name == "covariance_type" else value] for name, value in document["parameters"]["dict"]
        ]

    refused(crafted(tmp_path / "m.unmix", full), "'f k d d'")


def test_places_outside_an_array_are_refused(tmp_path):
    LocallyLinearEmbedding(n_neighbors=8).fit(X).save(tmp_path / "l.unmix")
    refused(crafted(tmp_path / "l.unmix", change_attributes(n_neighbors_=4000)), "n_neighbors_")
    CollaborativeFilter(1).fit(GAPS).save(tmp_path / "c.unmix")
    refused(
        crafted(tmp_path / "c.unmix", with_array("known_items_", np.full(int(np.isfinite(GAPS).sum()), 5))),
        "known_items_",
    )
    refused(crafted(tmp_path / "c.unmix", with_array("known_indptr_", np.arange(41)[::-1].copy())), "known_indptr_")
    HistogramDensity(bins=3).fit(X[:, :2]).save(tmp_path / "h.unmix")
    refused(crafted(tmp_path / "h.unmix", with_array("n_bins_", np.array([3, 4]))), "n_bins_")
    cells = len(HistogramDensity(bins=3).fit(X[:, :2]).cells_)
    refused(crafted(tmp_path / "h.unmix", with_array("cells_", np.full(cells, 9))), "outside the histogram")


def test_columns_of_a_factorization_belong_to_one_group_each(tmp_path):
    model = Factorization(2, random_state=0).fit(X)
    attributes = _fitted(model)
    twice = [{**attributes["groups_"][0], "columns": np.array([0, 0, 1, 2, 3])}]
    with pytest.raises(ValueError, match="groups_ are not those"):
        check_fitted("Factorization", {**attributes, "groups_": twice}, {})


def test_attributes_of_a_class_of_ones_own_stay_free(tmp_path):
    class Named(KMeans):
        pass

    model = Named(3, random_state=0).fit(X)
    model.colours_ = ["red", "green", "blue"]
    model.save(tmp_path / "m.unmix")
    assert unmix.load(tmp_path / "m.unmix", classes=[Named]).colours_ == model.colours_
    with pytest.raises(ValueError, match="cluster_centers_"):
        unmix.load(crafted(tmp_path / "m.unmix", with_array("cluster_centers_", np.zeros((3, 1)))), classes=[Named])
