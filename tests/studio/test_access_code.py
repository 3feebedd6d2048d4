"""The Python on a page of roles gives the roles, the exceptions and their risks of the command, for every setting."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.studio import made_access
from unmix.cli.main import main
from unmix.studio.pages.access_code import python
from unmix.studio.store.options import Options, arguments

FILES = {
    "attributes": ("users.csv", made_access.users()),
    "entitlements": ("titles.csv", b"permission,description\npay:create,creates payments\n"),
    "risk": ("risk.csv", b"permission,risk\npay:approve,9\ncrm:read,0.5\n"),
    "duties": ("duties.csv", b"rule,permission\nledger,ledger:read\nledger,pay:approve\n"),
    "keep": ("kept.csv", b"role,permission\nMail,mail:read\nMail,mail:send\n"),
}
PAIR = ["pay:create", "pay:approve"]
ASKED: list[Options] = [
    {},
    {"forbid": PAIR},
    {"forbid": PAIR, "repair": ["yes"], "risk": [], "duties": []},
    {"attributes": [], "entitlements": [], "keep": [], "objective": ["wsc"], "min_users": ["2"], "seed": ["3"]},
    {"attributes": [], "problem": ["infer"], "risk": []},
]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("given", ASKED, ids=lambda given: "+".join(given) or "nothing")
def test_the_code_of_the_page_mines_as_the_command_does(given: Options, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("access.csv").write_bytes(made_access.as_csv())
    others = [{"id": option * 2, "file": name} for option, (name, _) in FILES.items()]
    for name, content in FILES.values():
        Path(name).write_bytes(content)
    options = {name: values or [name * 2] for name, values in given.items()}
    words = arguments("roles", "access.csv", options, {one["id"]: one["file"] for one in others})
    told = CliRunner().invoke(main, ["roles", *words, "--out", "own"])
    assert told.exit_code == 0, told.output
    tree = json.loads(Path("own/roles.json").read_text())
    made: dict = {}
    exec(python({"file": "access.csv"}, options, others), made)
    found, explained = made["found"], made["explained"]
    assert {role["name"]: set(role["permissions"]) for role in tree["roles"]} == {
        name: set(map(str, held)) for name, held in found.roles.items()
    }
    assert [(one["user"], one["permission"], one["risk"]) for one in tree["exceptions"]] == [
        (str(one.user), str(one.permission), one.risk) for one in explained.exceptions
    ]
