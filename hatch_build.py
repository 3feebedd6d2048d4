"""The version of a build: a tag on the commit decides; else the number in `unmix/__init__.py`, and which commit it is.

    v0.2.0 is on this commit, and no file differs       0.2.0
    five commits after the last tag                     0.3.0.dev5+g1a2b3c4d5
    no tag is known (a shallow clone)                   0.3.0.dev0+g1a2b3c4d5
    no clone and no archive of one                      0.3.0.dev0

where `__init__.py` says 0.3.0.dev0. An sdist keeps the version it was built with. The wheel's `__init__.py` says what
was built; the clone's own is left as it is.
"""

import re
import subprocess
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.version import Version

ROOT = Path(__file__).parent
STATED = re.compile(r'^__version__ = "(.+?)".*$', re.MULTILINE)
DESCRIBED = re.compile(r"(?:v(?P<tag>\d[\w.]*)-(?P<since>\d+)-)?g?(?P<commit>[0-9a-f]{7,})(?P<dirty>-dirty)?")


def asked_of_git(root: Path) -> str:
    """`v0.2.0-5-g1a2b3c4d5-dirty`, or the commit where no tag is known; "" where this folder is no clone."""
    git = ["git", "-C", str(root)]
    describe = [*git, "describe", "--tags", "--long", "--always", "--dirty", "--abbrev=9", "--match", "v[0-9]*"]
    try:
        top = subprocess.run([*git, "rev-parse", "--show-prefix"], capture_output=True, text=True, check=True).stdout
        return "" if top.strip() else subprocess.run(describe, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def kept_in_archive(root: Path) -> str:
    """The same of an archive of the repository: `git archive` puts tag and commit into this file."""
    path = root / ".git_archival.txt"
    described, commit = path.read_text(encoding="utf-8").splitlines() if path.exists() else ("", "")
    if re.fullmatch(r"v[\d.]+\w*", described):  # on the tag itself
        return f"{described}-0-g{commit}"
    return described if described.startswith("v") else commit


def coming(stated: Version, last: Version) -> str:
    """The number stated, where it lies after the last tag; else the one that follows the tag."""
    if stated.release > last.release:
        return stated.base_version
    if last.pre:  # after a candidate the next one
        return f"{last.base_version}{last.pre[0]}{last.pre[1] + 1}"
    return ".".join(map(str, (*last.release[:-1], last.release[-1] + 1)))


def version(root: Path = ROOT) -> str:
    stated = STATED.search((root / "src" / "unmix" / "__init__.py").read_text(encoding="utf-8"))[1]
    found = DESCRIBED.fullmatch((asked_of_git(root) or kept_in_archive(root)).strip())
    if not found:
        return stated
    if found["tag"] and found["since"] == "0" and not found["dirty"]:
        return str(Version(found["tag"]))
    number = coming(Version(stated), Version(found["tag"])) if found["tag"] else Version(stated).base_version
    local = f"g{found['commit'][:9]}" + (".dirty" if found["dirty"] else "")
    return f"{number}.dev{found['since'] or 0}+{local}"


class VersionHook(BuildHookInterface):
    """Gives the wheel an `__init__.py` with the version that was built."""

    def initialize(self, version: str, build_data: dict) -> None:
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory()
        source, built = ROOT / "src" / "unmix" / "__init__.py", Path(self.folder.name) / "__init__.py"
        text = source.read_text(encoding="utf-8")
        built.write_text(STATED.sub(f'__version__ = "{self.metadata.version}"', text), encoding="utf-8")
        built.chmod(0o644)
        build_data["force_include"][str(built)] = "unmix/__init__.py"

    def finalize(self, version: str, build_data: dict, artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()
