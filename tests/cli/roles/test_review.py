"""From mining to decisions to mining again, to a comparison and to exports, by the commands alone."""

import csv
import json
import shutil

import pytest
from click.testing import CliRunner

from unmix.cli.main import main


def run(*arguments):
    return CliRunner().invoke(main, ["roles", *(str(argument) for argument in arguments)])


def write(path, pairs, header=("user", "permission")):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *pairs])


def company(n=12):
    return [(f"u{i}", p) for i in range(n) for p in ("mail", *(f"{'ab'[i % 2]}:{k}" for k in range(3)))] + [
        ("u3", "safe")
    ]


@pytest.fixture(scope="module")
def mined(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mined")
    write(folder / "monday.csv", company())
    assert run(folder / "monday.csv", "-o", folder / "monday", "--min-users", 2).exit_code == 0
    return folder


@pytest.fixture
def here(mined, tmp_path, monkeypatch):
    shutil.copytree(mined, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tree(folder):
    return json.loads((folder / "roles.json").read_text("utf-8"))


def test_decide_mine_again_and_sign_off(here):
    first = run("decide", "monday", "--accept", "r1", "--rename", "R01", "Clerk", "--by", "ann", "--comment", "fine")
    assert (
        first.exit_code == 0 and "Roles: 1 accepted, 0 accepted but changed since, 1 open, 0 rejected." in first.stdout
    )
    odd = run("decide", "monday", "--reject-exception", "u3", "safe", "--by", "bob")
    assert "Exceptions: 0 accepted, 1 to be mended, 0 open." in odd.stdout
    write(here / "tuesday.csv", [*company(14)])
    again = run("tuesday.csv", "-o", "tuesday", "--min-users", 2, "--keep", "monday", "--decisions", "decisions.json")
    assert again.exit_code == 0, again.output
    assert "Decided: 1 role accepted, 0 changed since, 1 open; 1 exception decided, 0 open." in again.stdout
    later = tree(here / "tuesday")
    assert {role["id"] for role in later["roles"]} == {role["id"] for role in tree(here / "monday")["roles"]}
    assert next(role["name"] for role in later["roles"] if role["id"] == "R01") == "R01 Clerk"
    assert "Decided to be wrong by bob" in run("why", "tuesday", "u3", "safe").stdout
    page = run("export", "tuesday", "--to", "sign-off", "--decisions", "decisions.json")
    assert page.exit_code == 0
    text = (here / "sign-off.html").read_text("utf-8")
    assert "1 role still needs a decision" in text and "revoke" in text and "fine" in text


def test_rejected_roles_do_not_come_back(here):
    run("decide", "monday", "--reject", "R02", "--by", "ann")
    rejected = next(set(role["permissions"]) for role in tree(here / "monday")["roles"] if role["id"] == "R02")
    assert "Rejected roles are still in these results" in run("decide", "monday").stdout
    run("monday.csv", "-o", "again", "--decisions", "decisions.json")
    assert all(set(role["permissions"]) != rejected for role in tree(here / "again")["roles"])
    assert tree(here / "again")["guaranteed"] and "R02" in tree(here / "again")["retired"]


def test_compare(here):
    write(here / "tuesday.csv", [pair for pair in company(13) if pair[0] != "u0"])
    run("tuesday.csv", "-o", "tuesday", "--min-users", 2, "--keep", "monday")
    result = run("compare", "monday", "tuesday", "-o", "change")
    assert result.exit_code == 0, result.output
    assert "Users: 12 before, 12 now (1 joiner, 0 movers, 1 leaver)." in result.stdout
    assert "Roles: 2 before, 2 now (2 the same, 0 changed, 0 appeared, 0 vanished)." in result.stdout
    assert {path.name for path in (here / "change").iterdir()} == {
        "people.csv",
        "grants.csv",
        "roles.csv",
        "change.json",
    }
    values = json.loads(run("compare", "monday.csv", "tuesday.csv", "--json").stdout)
    assert values["joiners"] == ["u12"] and values["leavers"] == ["u0"]


@pytest.mark.parametrize("kind", ["csv", "json", "scim", "rego", "cedar", "excel"])
def test_export(here, kind):
    run("decide", "monday", "--accept", "R01")
    result = run("export", "monday", "--to", kind, "--decisions", "decisions.json", "--accepted", "-o", here / "to")
    assert result.exit_code == 0, result.output
    assert (here / "to").exists()


def test_several_files_groups_and_descriptions(here):
    (here / "more.ldif").write_text("dn: cn=vpn,dc=x\ncn: vpn\nmemberUid: u1\nmemberUid: u2\n")
    write(here / "what.csv", [("vpn", "Work from home")], ("permission", "description"))
    result = run("monday.csv", "more.ldif", "--entitlements", "what.csv", "-o", "both")
    assert result.exit_code == 0, result.output
    assert tree(here / "both")["descriptions"] == {"vpn": "Work from home"}
    assert "vpn: Work from home" in run("why", "both", "u1", "vpn").stdout
    assert tree(here / "both")["source"] == "monday.csv, more.ldif"


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("no role with the id 'R9'", ["decide", "monday", "--accept", "R9"]),
        ("two things at once", ["decide", "monday", "--accept", "R01", "--reject", "R01"]),
        ("no exception of 'u1'", ["decide", "monday", "--accept-exception", "u1", "mail"]),
        ("needs something to comment on", ["decide", "monday", "--comment", "x"]),
        ("holds no roles.json", ["decide", "empty"]),
        ("no decision file", ["monday.csv", "--decisions", "absent.json"]),
        ("is no decision file", ["monday.csv", "--decisions", "monday/roles.json"]),
        ("--accepted needs decisions", ["export", "monday", "--to", "csv", "--accepted"]),
        ("no file absent.csv", ["compare", "monday", "absent.csv"]),
        ("no file absent.ldif", ["absent.ldif"]),
    ],
)
def test_complaints(here, words, arguments):
    (here / "empty").mkdir()
    result = run(*arguments)
    assert result.exit_code == 2 and words in result.stderr, result.output
    assert len(result.stderr.splitlines()) == 1 + result.stderr.count("unmix: reading")
