"""A saved model comes back to the bit; any other file is refused and nothing in it runs."""

import hashlib
import io
import json
import os
import pickle
import zipfile

import numpy as np
import pytest

import unmix
from tests.relations.subjects import SUBJECTS
from unmix.cluster import GrowingKMeans, InformationBottleneck, KMeans, LeastAngleClustering, MiniBatchKMeans
from unmix.decomposition import NMF, PCA, RobustPCA, SemiNMF, TruncatedSVD
from unmix.density import GaussianMixture
from unmix.embedding import LocallyLinearEmbedding, SelfOrganizingMap
from unmix.inference import Gibbs, MeanField, Metropolis, MetropolisHastings
from unmix.roles import DiscreteBasis, FastMiner, HammingKMeans, MultiAssignmentClustering, RoundedSVD, SVDDenoiser
from unmix.separation import JADE, FastICA, Infomax, OnlineICA
from unmix.shell.estimator import Estimator

X = np.random.default_rng(0).gamma(2.0, size=(60, 4))
MODELS = [
    PCA(2, whiten=True),
    TruncatedSVD(2, random_state=0),
    RobustPCA(),
    NMF(2, init=X[:2], max_iter=1000),
    SemiNMF(2, random_state=0),
    KMeans(3, init=X[:3], n_init=1),
    InformationBottleneck(2, beta=30.0, random_state=0),
    GaussianMixture(2, random_state=0),
    SelfOrganizingMap((2, 3), topology="hexagonal", random_state=0),
    LocallyLinearEmbedding(n_neighbors=12),
    MiniBatchKMeans(3, random_state=0),
    GrowingKMeans(0.5, random_state=0),
    MultiAssignmentClustering(2, threshold=1.5, random_state=0),
    DiscreteBasis(2, threshold=1.5),
    HammingKMeans(2, threshold=1.5, random_state=0),
    RoundedSVD(2, threshold=1.5),
    SVDDenoiser(threshold=1.5, random_state=0),
    FastMiner(threshold=1.5),
    FastICA(1, random_state=0),
    JADE(1),
    Infomax(1, random_state=0),
    OnlineICA(1, random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_round_trip(model, dtype, tmp_path):
    model.fit(X.astype(dtype)).save(tmp_path / "m.unmix")
    back = unmix.load(tmp_path / "m.unmix")
    assert type(back) is type(model)
    assert repr(back.get_params()) == repr(model.get_params())
    assert {k for k in vars(model) if not k.startswith("_")} == {k for k in vars(back) if not k.startswith("_")}
    ask = "transform" if hasattr(model, "transform") else "predict_proba"
    new = X[:7].astype(dtype) * 1.1
    assert np.array_equal(getattr(back, ask)(new), getattr(model, ask)(new))
    assert getattr(back, ask)(new).dtype == dtype


def test_names_of_columns_survive(tmp_path):
    import pandas

    frame = pandas.DataFrame(X, columns=["a", "b", "c", "ü"])
    PCA(2).fit(frame).save(tmp_path / "m.unmix")
    back = unmix.load(tmp_path / "m.unmix")
    assert back.feature_names_in_.tolist() == ["a", "b", "c", "ü"]
    assert back.get_feature_names_out().tolist() == PCA(2).fit(frame).get_feature_names_out().tolist()


def rewritten(path, change):
    """The file with its document changed, as an attacker would."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members["document.json"])
    change(document, members)
    members["document.json"] = json.dumps(document).encode()
    members["digest"] = hashlib.sha256(members["document.json"]).hexdigest().encode()
    out = path.with_name("changed.unmix")
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out


class Bomb:
    def __reduce__(self):
        return os.mkdir, ("pwned",)


def pickled_array(document, members):
    buffer = io.BytesIO()
    np.save(buffer, np.array([Bomb()], dtype=object), allow_pickle=True)
    members["0.npy"] = buffer.getvalue()
    document["arrays"][0] = hashlib.sha256(members["0.npy"]).hexdigest()


CHANGES = {
    "class": (lambda d, m: d.update({"class": "os.system"}), "not on the list"),
    "dunder": (lambda d, m: d["fitted"]["dict"].append(["__class__", 1]), "names no model has"),
    "method": (lambda d, m: d["fitted"]["dict"].append(["predict", 1]), "names no model has"),
    "schema": (lambda d, m: d.update(schema=99), "schema is 99"),
    "format": (lambda d, m: d.update(format="other"), "not written by unmix"),
    "array": (lambda d, m: m.update({"0.npy": m["0.npy"][:-1] + b"\x01"}), "changed after it was written"),
    "missing": (lambda d, m: m.pop("0.npy"), "can load"),
    "parameter": (lambda d, m: d["parameters"]["dict"].append(["evil", 1]), "can load"),
    "pickle": (pickled_array, "can load"),
    "number": (lambda d, m: d["parameters"]["dict"].append(["max_iter", 10**400]), "beyond floating point"),
    "kind": (lambda d, m: d.update(fitted={"dict": [["n_iter_", {"call": "os.system"}]]}), "unknown kind"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_tampered_file_is_refused(change, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    KMeans(3, random_state=0).fit(X).save(tmp_path / "m.unmix")
    alter, sentence = CHANGES[change]
    with pytest.raises(ValueError, match=sentence):
        unmix.load(rewritten(tmp_path / "m.unmix", alter))
    assert not (tmp_path / "pwned").exists()


def test_foreign_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.savez(tmp_path / "z.npz", a=X)
    (tmp_path / "p.pkl").write_bytes(pickle.dumps(Bomb()))
    (tmp_path / "t.txt").write_text("hello")
    (tmp_path / "e").write_bytes(b"")
    for name in ("z.npz", "p.pkl", "t.txt", "e", "."):
        with pytest.raises(ValueError, match="not a model"):
            unmix.load(tmp_path / name)
    assert not (tmp_path / "pwned").exists()
    with pytest.raises(FileNotFoundError, match="no such file"):
        unmix.load(tmp_path / "none.unmix")


def test_what_cannot_be_saved_says_so(tmp_path):
    model = KMeans(3, random_state=np.random.RandomState(0)).fit(X)
    with pytest.raises(TypeError, match="random_state, an integer"):
        model.save(tmp_path / "m.unmix")

    from unmix.validation import OneCluster

    with pytest.raises(TypeError, match="OneCluster cannot be saved"):
        Estimator.save(OneCluster().fit(X), tmp_path / "m.unmix")
    assert list(tmp_path.iterdir()) == []


class Halves(KMeans):
    """An estimator of someone else."""


def quartic(u):
    return u**3, 3 * u**2


def test_a_class_of_ones_own_is_loaded_when_it_is_handed_over(tmp_path, monkeypatch):
    from unmix.shell import registered

    monkeypatch.setattr(registered, "_registered", [])
    model = Halves(3, random_state=0).fit(X)
    model.save(tmp_path / "m.unmix")
    with pytest.raises(ValueError, match=r"class 'Halves' of .* not on the list .* classes=\[Halves\]"):
        unmix.load(tmp_path / "m.unmix")
    with pytest.raises(TypeError, match="neither a class nor a function"):
        unmix.load(tmp_path / "m.unmix", classes=[model])
    back = unmix.load(tmp_path / "m.unmix", classes=[Halves])
    assert type(back) is Halves and np.array_equal(back.predict(X), model.labels_)
    other = type("Halves", (PCA,), {"__module__": "elsewhere"})
    assert type(unmix.load(tmp_path / "m.unmix", classes=[other, Halves])) is Halves
    unmix.register(Halves)
    assert type(unmix.load(tmp_path / "m.unmix")) is Halves


def test_a_class_that_has_the_name_of_one_of_ours_is_another(tmp_path):
    namesake = type("PCA", (PCA,), {"__module__": "elsewhere"})
    namesake(2).fit(X).save(tmp_path / "m.unmix")
    with pytest.raises(ValueError, match="class 'PCA' of elsewhere"):
        unmix.load(tmp_path / "m.unmix")
    assert type(unmix.load(tmp_path / "m.unmix", classes=[namesake])) is namesake


def test_a_contrast_of_ones_own(tmp_path, monkeypatch):
    from unmix.shell import registered

    monkeypatch.setattr(registered, "_registered", [])
    model = FastICA(2, fun=quartic, random_state=0).fit(X)
    model.save(tmp_path / "m.unmix")
    with pytest.raises(ValueError, match=r"function 'quartic' of .*classes=\[quartic\]"):
        unmix.load(tmp_path / "m.unmix")
    with pytest.raises(ValueError, match="function 'quartic'"):
        unmix.load(tmp_path / "m.unmix", classes=[type("quartic", (), {})])  # a class is no function
    back = unmix.load(tmp_path / "m.unmix", classes=[quartic])
    assert back.fun is quartic and np.array_equal(back.transform(X), model.transform(X))
    with pytest.raises(TypeError, match="is a lambda"):
        FastICA(2, fun=lambda u: (u**3, 3 * u**2), random_state=0).fit(X).save(tmp_path / "m.unmix")


def test_a_file_cannot_name_code_elsewhere(tmp_path):
    KMeans(2, random_state=0).fit(X).save(tmp_path / "m.unmix")
    for name in ("os:system", "unmix.cluster.kmeans:KMeans", "subprocess:Popen"):
        changed = rewritten(tmp_path / "m.unmix", lambda document, _, name=name: document.update({"class": name}))
        with pytest.raises(ValueError, match="not on the list of models"):
            unmix.load(changed)


class Slower(Gibbs):
    """A step of one's own, with a parameter of its own."""

    def __init__(self, sweeps=10, draws=500, pause=0.0):
        super().__init__(sweeps, draws)
        self.pause = pause


@pytest.mark.parametrize(
    "step", [Metropolis(7, heat_bath=True), MeanField("sequential", tol=1e-4), MetropolisHastings()]
)
def test_steps_of_the_engine_are_saved(step, tmp_path):
    model = LeastAngleClustering(2, inference=step, n_temperatures=3, random_state=0).fit(np.eye(4))
    model.save(tmp_path / "m.unmix")
    read = unmix.load(tmp_path / "m.unmix").inference
    assert type(read) is type(step) and vars(read) == vars(step)


def test_a_step_of_ones_own_is_handed_over(tmp_path):
    model = LeastAngleClustering(2, inference=Slower(pause=0.25), n_temperatures=3, random_state=0).fit(np.eye(4))
    model.save(tmp_path / "m.unmix")
    with pytest.raises(ValueError, match="Slower"):
        unmix.load(tmp_path / "m.unmix")
    assert unmix.load(tmp_path / "m.unmix", classes=[Slower]).inference.pause == 0.25
    Slower.__init__ = lambda self, sweeps=10, draws=500, wait=0.0: Gibbs.__init__(self, sweeps, draws)
    with pytest.raises(TypeError, match="does not keep its parameter 'wait' under that name"):
        LeastAngleClustering(2, inference=Slower(), n_temperatures=3).fit(np.eye(4)).save(tmp_path / "n.unmix")


def streams():
    return [name for name, subject in SUBJECTS.items() if hasattr(subject.make(1.0), "partial_fit")]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", streams())
@pytest.mark.parametrize("begin", ["fit", "partial_fit"])
def test_a_stream_goes_on_after_it_was_saved(name, begin, tmp_path):
    subject = SUBJECTS[name]
    X = subject.table(subject.n, np.random.default_rng(0))
    model = getattr(subject.make(1.0), begin)(X[: 2 * len(X) // 3])
    model.save(tmp_path / "m.unmix")
    read = unmix.load(tmp_path / "m.unmix")
    for each in (model, read):
        each.partial_fit(X[2 * len(X) // 3 :])
    kept = {k: v for k, v in vars(model).items() if isinstance(v, np.ndarray) and v.dtype.kind in "fiu"}
    assert kept
    for attribute, value in kept.items():
        np.testing.assert_array_equal(getattr(read, attribute), value, err_msg=attribute)
