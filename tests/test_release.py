"""What a release is made of agrees with itself: versions, Pythons, dependencies, and files that can be read at all."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import unmix

root = Path(__file__).parents[1]
PROJECT = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text(name):
    path = root / name
    if not path.exists():
        pytest.skip(f"{name} is not part of this copy")
    return path.read_text(encoding="utf-8")


def loaded(name):
    return pytest.importorskip("yaml").safe_load(text(name))


def test_one_version_everywhere():
    assert loaded("CITATION.cff")["version"] == unmix.__version__
    assert f'set version = "{unmix.__version__}"' in text("conda/meta.yaml")
    assert re.search(rf"^## {re.escape(unmix.__version__)}, ", text("CHANGELOG.md"), re.MULTILINE)


def test_the_recipe_has_the_dependencies_of_the_project():
    lines = set(re.findall(r"^    - ([\w-]+ >=[\d.]+)$", text("conda/meta.yaml"), re.MULTILINE))
    needed = {re.sub(r"(?<=\w)>=", " >=", line) for line in PROJECT["dependencies"]}
    assert needed <= lines and f"python {PROJECT['requires-python']}" in lines


@pytest.mark.parametrize("name", ["tests", "release"])
def test_workflows_try_three_pythons_on_three_systems(name):
    jobs = loaded(f".github/workflows/{name}.yml")["jobs"]
    matrix = jobs["tests" if name == "tests" else "try"]["strategy"]["matrix"]
    classified = [line.rpartition(" :: ")[2] for line in PROJECT["classifiers"] if re.search(r"3\.\d+$", line)]
    assert matrix["python"] == classified and len(matrix["system"]) == 3


def test_only_the_publishing_job_may_ask_for_an_identity():
    jobs = loaded(".github/workflows/release.yml")["jobs"]
    asking = [name for name, job in jobs.items() if "id-token" in (job.get("permissions") or {})]
    assert asking == ["publish"] and "password" not in text(".github/workflows/release.yml")


@pytest.mark.parametrize(
    "name", ["docs.yml", *[f"../ISSUE_TEMPLATE/{name}.yml" for name in ("wish", "wrong_answer", "config")]]
)
def test_the_other_files_of_github_can_be_read(name):
    assert isinstance(loaded(f".github/workflows/{name}"), dict)


def test_hooks_run_tools_of_the_project():
    (local,) = loaded(".pre-commit-config.yaml")["repos"]
    tools = {hook["entry"].split()[0] for hook in local["hooks"]}
    assert tools <= {"ruff", "mypy", "lint-imports", "python"}
    assert all(hook["language"] == "system" for hook in local["hooks"])


def test_the_container_asks_for_extras_that_exist():
    extras = re.search(r"/source\[([\w,]+)\]", text("Dockerfile"))[1].split(",")
    assert set(extras) <= set(PROJECT["optional-dependencies"])


def test_the_release_script_refuses_a_tag_that_is_not_the_version():
    text(".ci/release")
    done = subprocess.run(["bash", ".ci/release", "v999"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "the tag is v999" in done.stderr
