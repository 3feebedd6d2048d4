"""Topics of a few documents, by non-negative factorization of their weighted words.

The documents stand in for a collection that would have to be fetched: words drawn from four subjects, and common ones.
"""

import numpy as np
from sklearn.decomposition import NMF, MiniBatchNMF
from sklearn.feature_extraction.text import TfidfVectorizer

n_features = 1000
n_components = 4
n_top_words = 6
batch_size = 128
init = "nndsvda"

subjects = [
    "orbit rocket launch lunar satellite shuttle",
    "hockey season goalie playoff score team",
    "disk driver monitor printer keyboard memory",
    "court police weapon crime law trial",
]
common = ["people", "good", "time", "think", "know", "really"]
generator = np.random.default_rng(0)
data_samples = [
    " ".join([*generator.choice(subjects[i % 4].split(), 12), *generator.choice(common, 6)]) for i in range(120)
]

tfidf_vectorizer = TfidfVectorizer(max_df=0.95, min_df=2, max_features=n_features, stop_words="english")
tfidf = tfidf_vectorizer.fit_transform(data_samples)
tfidf_feature_names = tfidf_vectorizer.get_feature_names_out()


def top_words(model):
    return [{tfidf_feature_names[i] for i in topic.argsort()[-n_top_words:]} for topic in model.components_]


nmf = NMF(
    n_components=n_components,
    random_state=1,
    init=init,
    beta_loss="frobenius",
    alpha_W=0.00005,
    alpha_H=0.00005,
    l1_ratio=1,
).fit(tfidf)
frobenius_topics = top_words(nmf)

nmf_divergence = NMF(
    n_components=n_components,
    random_state=1,
    init=init,
    beta_loss="kullback-leibler",
    solver="mu",
    max_iter=1000,
    alpha_W=0.00005,
    alpha_H=0.00005,
    l1_ratio=0.5,
).fit(tfidf)
divergence_topics = top_words(nmf_divergence)

mbnmf = MiniBatchNMF(
    n_components=n_components,
    random_state=1,
    batch_size=batch_size,
    init=init,
    beta_loss="frobenius",
    alpha_W=0.00005,
    alpha_H=0.00005,
    l1_ratio=0.5,
).fit(tfidf)
