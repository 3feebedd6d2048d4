"""What a release is made of agrees with itself: versions, Pythons, dependencies, and files that can be read at all."""

import importlib.util
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from types import ModuleType

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


def test_one_number_everywhere():
    number = unmix.__version__.partition(".dev")[0]
    assert loaded("CITATION.cff")["version"] == number
    assert f'set version = "{number}"' in text("conda/meta.yaml")
    assert re.search(rf"^## {re.escape(number)}, ", text("CHANGELOG.md"), re.MULTILINE)


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
    extras = re.search(r"whl\)\[([\w,]+)\]", text("Dockerfile"))[1].split(",")
    assert set(extras) <= set(PROJECT["optional-dependencies"])


def test_the_release_script_refuses_a_tag_that_is_not_the_version():
    text(".ci/release")
    done = subprocess.run(["bash", ".ci/release", "v999"], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "the tag is v999" in done.stderr


@pytest.fixture
def version(monkeypatch):
    """The function of hatch_build.py, without the library that builds."""
    text("hatch_build.py")
    library = ModuleType("hatchling.builders.hooks.plugin.interface")
    library.BuildHookInterface = object
    monkeypatch.setitem(sys.modules, library.__name__, library)
    for parent in ("hatchling", "hatchling.builders", "hatchling.builders.hooks", "hatchling.builders.hooks.plugin"):
        monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
    spec = importlib.util.spec_from_file_location("hatch_build", root / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.version


class Clone:
    """A small repository, as git makes it."""

    def __init__(self, place):
        self.place = place
        (place / "src" / "unmix").mkdir(parents=True)
        for name in (".git_archival.txt", ".gitattributes"):
            (place / name).write_text(text(name), encoding="utf-8")
        self.git("init", "-q")
        self.state("0.1.0.dev0")

    def git(self, *words):
        who = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"]
        command = ["git", "-C", str(self.place), *who, *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def state(self, number):
        (self.place / "src" / "unmix" / "__init__.py").write_text(
            f'__version__ = "{number}"  # here\n', encoding="utf-8"
        )
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")

    def archive(self, place):
        self.git("archive", "-o", f"{place}.tar", "HEAD")
        with tarfile.open(f"{place}.tar") as file:
            file.extractall(place, filter="data")
        return place

    @property
    def commit(self):
        return self.git("rev-parse", "HEAD")[:9]


@pytest.fixture
def clone(tmp_path):
    return Clone(tmp_path / "clone")


def test_without_a_tag_the_number_in_the_file_and_the_commit(clone, version, tmp_path):
    expected = f"0.1.0.dev0+g{clone.commit}"
    assert version(clone.place) == version(clone.archive(tmp_path / "archive")) == expected


def test_a_tag_decides_where_no_file_differs(clone, version, tmp_path):
    clone.git("tag", "v0.4.0")
    assert version(clone.place) == version(clone.archive(tmp_path / "archive")) == "0.4.0"
    (clone.place / ".gitattributes").write_text("# another\n", encoding="utf-8")
    assert version(clone.place) == f"0.4.1.dev0+g{clone.commit}.dirty"


def test_after_a_tag_the_coming_number_and_how_many_commits(clone, version, tmp_path):
    clone.git("tag", "-a", "v0.1.0", "-m", "the first")
    clone.state("0.1.0.dev0")
    assert version(clone.place) == f"0.1.1.dev1+g{clone.commit}"  # nobody has raised it
    clone.state("0.2.0.dev0")
    assert version(clone.place) == f"0.2.0.dev2+g{clone.commit}"
    assert version(clone.archive(tmp_path / "archive")).startswith("0.2.0.dev2+g")
    clone.git("tag", "v0.2.0rc1")
    assert version(clone.place) == "0.2.0rc1"
    clone.state("0.2.0.dev0")
    assert version(clone.place) == f"0.2.0rc2.dev1+g{clone.commit}"


def test_a_copy_without_a_repository_has_the_number_in_the_file_also_inside_of_another(clone, version):
    clone.git("tag", "v9.9.9")
    copy = clone.place / "vendored"
    (copy / "src" / "unmix").mkdir(parents=True)
    (copy / "src" / "unmix" / "__init__.py").write_text('__version__ = "0.3.0.dev0"\n', encoding="utf-8")
    assert version(copy) == "0.3.0.dev0"


def test_versions_are_in_the_order_of_time(clone, version):
    from packaging.version import Version

    found = []
    for number, tag in [("0.1.0", None), ("0.1.0", "v0.1.0"), ("0.1.0", None), ("0.2.0", None), ("0.2.0", "v0.2.0")]:
        clone.state(f"{number}.dev0")
        if tag:
            clone.git("tag", tag)
        found.append(Version(version(clone.place)))
    assert found == sorted(set(found))
