"""Words that people use for the same thing lead to its page: by the glossary, by tags of pages, by the search index."""

import html
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

root = Path(__file__).parents[1]
spec = importlib.util.spec_from_file_location("synonyms", root / "docs" / "synonyms.py")
synonyms = importlib.util.module_from_spec(spec)
spec.loader.exec_module(synonyms)
WORDS = synonyms.words_of_pages((root / "docs" / "glossary.md").read_text(encoding="utf-8"))
# What people were seen to look for in vain, and where it should lead.
ASKED = {
    "anomaly": "methods/gaussian.md",
    "outlier": "explore.md",
    "segregation of duties": "roles.md",
    "SOBI": "methods/second_order_ica.md",
    "PCP": "methods/robust_pca.md",
    "MCA": "methods/factorization.md",
    "time series": "separate.md",
    "Excel": "files.md",
    "topic model": "methods/nmf.md",
    "archetypes": "methods/factorization.md",
    "number of clusters": "methods/model_selection.md",
    "recommender system": "methods/collaborative_filtering.md",
    "GMM": "methods/gaussian_mixture.md",
    "spectral clustering": "methods/graphs.md",
    "embedding": "methods/lle.md",
    "imputation": "methods/factorization.md",
    "t-SNE": "which_estimator.md",
    "UMAP": "which_estimator.md",
    "DBSCAN": "which_estimator.md",
    "silhouette": "methods/criteria.md",
    "elbow": "methods/model_selection.md",
    "LDA": "methods/nmf.md",
    "expectation maximization": "methods/gaussian_mixture.md",
}


def test_what_was_looked_for_in_vain_is_in_the_glossary():
    assert [word for word, page in ASKED.items() if word not in WORDS[page]] == []


@pytest.mark.parametrize("page", WORDS)
def test_pages_carry_the_words_that_lead_to_them(page):
    text = (root / "docs" / page).read_text(encoding="utf-8")
    assert synonyms.with_tags(text, WORDS[page]) == text, "run `python docs/synonyms.py`"


def test_a_word_that_a_page_lacks_is_seen():
    page = synonyms.with_tags("# A page\n", ["one", "two"])
    assert synonyms.with_tags(page, ["one", "two"]) == page
    assert synonyms.with_tags(page, ["one"]) != page
    assert "hide: [toc]" in synonyms.with_tags("---\nhide: [toc]\n---\n\n# A page\n", ["one"])


@pytest.mark.long
def test_the_search_index_leads_to_the_pages(tmp_path):
    pytest.importorskip("material")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    index = json.loads((tmp_path / "site" / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"]: {html.unescape(tag) for tag in entry.get("tags", ())} for entry in index["docs"]}
    for page, words in WORDS.items():
        assert set(words) <= found[page.removesuffix(".md") + "/"], page
