"""`unmix roles` from the file to the folder: bad files, round trip, the guarantee, formulas, what-if, an interrupt."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from unmix.cli.main import main
from unmix.roles import read
from unmix.roles.access.folder import recompute

FILES = {"roles.csv", "assignments.csv", "exceptions.csv", "roles.json", "report.html"}
HOSTILE = ['=cmd|" /C calc"!A0', "+1", "-1", "@SUM(A1)", "'=x", "</script><img src=x onerror=alert(1)>", "a,b;c", "ünï"]


def run(*arguments):
    return CliRunner().invoke(main, ["roles", *(str(argument) for argument in arguments)])


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, pairs, header=("user", "permission")):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *pairs])


def company(n=24):
    return [(f"u{i}", p) for i in range(n) for p in ("mail", *(f"{'ab'[i % 2]}:{k}" for k in range(3)))]


def test_from_a_file_to_a_folder(here):
    write(here / "access.csv", company())
    write(here / "users.csv", [(f"u{i}", "Red" if i % 2 else "Blue") for i in range(24)], ("user", "team"))
    result = run("access.csv", "--attributes", "users.csv", "-o", "out")
    assert result.exit_code == 0, result.output
    assert {path.name for path in (here / "out").iterdir()} == FILES
    assert "2 roles for 24 users and 7 permissions: minimal" in result.stdout
    assert "nobody gains or loses a permission" in result.stdout
    assert "nearly everybody has mail" in result.stdout
    assert "mining roles" in result.stderr
    tree = json.loads((here / "out" / "roles.json").read_text("utf-8"))
    assert tree["guaranteed"] and tree["proven"]
    assert {role["name"].split(" ", 1)[1] for role in tree["roles"]} == {"Blue: a", "Red: b"}
    assert tree["command"] == "unmix roles access.csv --attributes users.csv --seed 0"


def test_the_folder_is_named_after_the_file(here):
    write(here / "access.csv", company())
    assert run("access.csv").exit_code == 0
    assert {path.name for path in (here / "unmix-roles-access").iterdir()} == FILES


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("objective", ["roles", "edges", "wsc"])
def test_written_files_multiply_out_to_the_data(here, seed, objective):
    rng = np.random.default_rng(seed)
    names = [*HOSTILE, *(f"n{k}" for k in range(6))]
    pairs = {(names[i], names[j]) for i, j in rng.integers(len(names), size=(60, 2))}
    write(here / "access.csv", sorted(pairs))
    # the reader takes off the apostrophe an export would have put on, so what it read is what must come back
    held = set(read(here / "access.csv").pairs())
    result = run("access.csv", "--objective", objective, "-o", "out")
    assert result.exit_code == 0, result.output
    assert recompute(here / "out") == held
    assert "Guarantee" in result.stdout


def test_no_cell_is_a_formula_and_names_come_back(here):
    write(here / "access.csv", [(name, f"{name} right") for name in HOSTILE])
    run("access.csv", "-o", "out")
    for name in ("roles.csv", "assignments.csv", "exceptions.csv"):
        with (here / "out" / name).open(encoding="utf-8", newline="") as file:
            assert not [cell for row in csv.reader(file) for cell in row if cell[:1] in "=+-@\t\r" and cell]
    back = read(here / "out" / "assignments.csv")
    assert set(back.users) == set(read(here / "access.csv").users)
    page = (here / "out" / "report.html").read_text("utf-8")
    assert "<img" not in page


def test_without_the_guarantee_the_deviations_are_told(here):
    write(here / "access.csv", [*company(), ("u0", "odd")])
    result = run("access.csv", "--problem", "fewest", "--delta", 1, "-o", "out")
    assert "Guarantee" not in result.stdout
    assert "not given by the roles 1 grant, given in addition 0" in result.stdout
    with (here / "out" / "exceptions.csv").open(encoding="utf-8", newline="") as file:
        (row,) = list(csv.DictReader(file))
    assert (row["user"], row["permission"], row["kind"]) == ("u0", "odd", "lost")
    assert row["reason"] == "none of the 11 other users with the same role has it"


def test_risk_table(here):
    write(here / "access.csv", [*company(), ("u0", "odd"), ("u1", "worse")])
    write(here / "risk.csv", [("worse", 9)], ("permission", "risk"))
    run("access.csv", "--problem", "fewest", "--n-roles", 2, "--risk", "risk.csv", "-o", "out")
    first = json.loads((here / "out" / "roles.json").read_text("utf-8"))["exceptions"][0]
    assert (first["permission"], first["risk"]) == ("worse", 9 * first["probability"])


def test_limits_and_kept_roles(here):
    write(here / "access.csv", [(user, p) for user in ("ann", "bob", "eve") for p in ("pay", "approve", "mail")])
    write(here / "keep.csv", [("everybody", "mail")], ("role", "permission"))
    result = run(
        "access.csv", "--forbid", "pay", "approve", "--keep", "keep.csv", "--max-roles-per-user", 3, "-o", "out"
    )
    assert result.exit_code == 0, result.output
    tree = json.loads((here / "out" / "roles.json").read_text("utf-8"))
    held = [set(role["permissions"]) for role in tree["roles"]]
    assert {"mail"} in held
    assert not any({"pay", "approve"} <= role for role in held)
    for words in ("unmix roles access.csv", "--forbid pay approve", "--keep keep.csv", "--max-roles-per-user 3"):
        assert words in tree["command"]
    assert run("access.csv", "--min-permissions", 4, "-o", "out").exit_code == 0
    assert json.loads((here / "out" / "roles.json").read_text("utf-8"))["counts"]["direct"] == 9
    write(here / "wrong.csv", [("everybody", "telex")], ("role", "permission"))
    complain("no permission of the data", "access.csv", "--keep", "wrong.csv", "-o", "other")
    assert run("access.csv", "--problem", "fewest", "--delta", 3, "--forbid", "pay", "mail", "-o", "few").exit_code == 0
    tree = json.loads((here / "few" / "roles.json").read_text("utf-8"))
    assert [set(role["permissions"]) for role in tree["roles"]] in ([{"pay", "approve"}], [{"approve", "mail"}])
    assert tree["counts"]["lost"] == 3
    complain("counts roles", "access.csv", "--problem", "fewest", "--objective", "wsc", "-o", "other")
    told = run("access.csv", "--problem", "infer", "--forbid", "pay", "approve", "-o", "other")
    assert told.exit_code == 0 and "3 users in conflict" in told.stdout


def test_new_users_and_fewer_roles_are_in_the_answer(here):
    write(here / "access.csv", company())
    for problem in ("cover", "fewest", "infer"):
        result = run("access.csv", "--problem", problem, *(["--n-roles", 2] if problem != "cover" else []), "-o", "out")
        assert "New users: 0.0 % of the hidden entries are predicted wrongly" in result.stdout, result.output
        tree = json.loads((here / "out" / "roles.json").read_text("utf-8"))
        assert tree["held_out"]["error"] == 0
        assert {"n_roles": 2, "deviations": 0} in tree["front"]


def test_a_list_of_grants_with_more_columns(here):
    write(here / "t.csv", [(1, "ann", "x", "2024"), (2, "bob", "y", "2025")], ("id", "Account", "Entitlement", "since"))
    result = run("t.csv", "-o", "out")
    assert "Note: Read as pairs of 'Account' and 'Entitlement'; not used: id, since." in result.stdout
    assert set(read(here / "t.csv").pairs()) == {("ann", "x"), ("bob", "y")}
    (here / "wide.csv").write_text("user,mail access,crm access\nann,1,0\nbob,,1\n")
    assert set(read(here / "wide.csv").pairs()) == {("ann", "mail access"), ("bob", "crm access")}


bad = {
    "empty": (b"", "empty"),
    "header": (b"user,permission\n", "no rows"),
    "one column": (b"user\nann\nbob\n", "one column"),
    "ragged": (b"user,permission\nann,x\nbob,x,y\n", "Row 3 has 3 cells"),
    "blank": (b"user,permission\nann,\n", "blank"),
    "binary": (bytes(range(256)) * 4, "binary"),
    "no 0/1": (b"user,a,b\nann,1,maybe\n", "0 or 1"),
}


@pytest.mark.parametrize("case", bad)
def test_bad_files_get_one_sentence_and_exit_code_2(here, case):
    data, words = bad[case]
    (here / "t.csv").write_bytes(data)
    complain(words, "t.csv", "-o", "out")
    assert not (here / "out").exists()


def test_other_complaints(here):
    write(here / "t.csv", company())
    (here / "file").write_text("x")
    (here / "t.parquet").write_bytes(b"PAR1 and no more")
    (here / "nul.csv").write_bytes(b"user,permission\nann,x\x00\n")
    complain("nothing.csv", "nothing.csv")
    complain("Parquet", "t.parquet")
    complain("holds files of several formats", here)
    assert "Traceback" not in run("nul.csv").output
    complain("is a file", "t.csv", "-o", "file")
    complain("delta", "t.csv", "--delta", 3)
    complain("risk", "t.csv", "--risk", "t.csv")
    complain("nothing.csv", "t.csv", "--attributes", "nothing.csv")
    assert run("t.csv", "--problem", "other").exit_code == 2
    assert run().exit_code == 2


def test_a_long_cell_is_read_whoever_read_before(here):
    import csv

    csv.field_size_limit(131_072)
    (here / "wide.csv").write_text("user,permission\nann," + "x" * 200_000 + "\n")
    assert run("wide.csv", "-o", "out").exit_code == 0
    assert "x" * 200_000 in (here / "out" / "roles.csv").read_text()


def complain(words, *arguments):
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    last = result.stderr.strip().splitlines()[-1]
    assert last.startswith("unmix: ") and words in last
    assert "Traceback" not in result.output


def test_interrupted_the_best_so_far_is_written_and_marked(here, monkeypatch):
    import unmix.roles.mine_cover as engine

    def stop(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "minimum_cover", stop)
    write(here / "access.csv", company())
    result = run("access.csv", "-o", "out")
    assert result.exit_code == 130
    tree = json.loads((here / "out" / "roles.json").read_text("utf-8"))
    assert tree["interrupted"] and not tree["proven"] and tree["guaranteed"]
    assert "not proven" in result.stdout and "not proven" in (here / "out" / "report.html").read_text("utf-8")


def overlapping(here):
    """ann: a b, bob: b c, eve: a b c; two roles, of which eve has both."""
    write(here / "t.csv", [("ann", "a"), ("ann", "b"), ("bob", "b"), ("bob", "c"), *(("eve", p) for p in "abc")])
    assert run("t.csv", "-o", "out").exit_code == 0
    tree = json.loads((here / "out" / "roles.json").read_text("utf-8"))
    return {role["name"]: set(role["permissions"]) for role in tree["roles"]}


def test_what_if_a_role_is_dropped(here):
    first = next(name for name, held in overlapping(here).items() if held == {"a", "b"})
    for name in (first, first.split()[0]):
        result = run("what-if", "out", "--drop", name)
        assert result.exit_code == 0, result.output
        lines = result.stdout.splitlines()
        # eve keeps b by her other role
        assert lines == [
            "Left: 1 role.", "2 users lose 3 permissions:", "  ann: a", "  ann: b", "  eve: a",
            "Nobody gains a permission.",
        ]  # fmt: skip


def test_what_if_two_roles_are_merged(here):
    names = list(overlapping(here))
    lines = run("what-if", "out", "--merge", *names).stdout.splitlines()
    assert lines == [
        "Left: 1 role.",
        "Nobody loses a permission.",
        "2 users gain 2 permissions:",
        "  ann: c",
        "  bob: a",
    ]


def test_comparison(here):
    overlapping(here)
    write(here / "later.csv", [("ann", "a"), ("ann", "b"), ("bob", "d")])
    run("later.csv", "-o", "later")
    lines = run("what-if", "out", "--compare", "later").stdout.splitlines()
    assert lines[:2] == ["Users: 3 before, 2 now (0 joiners, 1 mover, 1 leaver).", "  left: eve"]
    assert "Grants gained: 1 (1 given singly)." in lines
    assert any(line.startswith("Grants lost: 5 (3 by leavers") for line in lines)
    assert "Roles: 2 before, 2 now (1 the same, 0 changed, 1 appeared, 1 vanished)." in lines


def test_complaints_of_what_if(here):
    name = next(iter(overlapping(here)))
    (here / "empty").mkdir()
    (here / "broken").mkdir()
    (here / "broken" / "roles.json").write_text("[1, 2")
    complain(f"did you mean '{name}'?", "what-if", "out", "--drop", f"{name}x")
    complain("no role named 'R99'", "what-if", "out", "--drop", "R99")
    complain("merged with itself", "what-if", "out", "--merge", name, name)
    complain("no roles.json", "what-if", "empty", "--drop", name)
    complain("does not hold mined roles", "what-if", "broken", "--drop", name)
    complain("Nothing was asked", "what-if", "out")


DUTIES = "user,permission\nann,pay:create\nann,pay:approve\nbob,pay:create\nbob,mail\neve,pay:approve\neve,pay:create\n"


@pytest.fixture
def payments(here):
    (here / "pay.csv").write_text(DUTIES)
    return here


def test_users_who_hold_a_forbidden_pair_are_named(payments):
    found = run("pay.csv", "--forbid", "pay:create", "pay:approve", "-o", "out")
    assert "2 users in conflict: ann" in found.output and "eve" in found.output
    lines = (payments / "out" / "conflicts.csv").read_text().splitlines()
    assert len([line for line in lines if line.startswith("before,")]) == 2
    assert "Separation of duties" in (payments / "out" / "report.html").read_text()


def test_a_repair_ends_all_conflicts_and_says_what_it_took(payments):
    (payments / "rules.csv").write_text("rule,permission\npayments,pay:create\npayments,pay:approve\n")
    found = run("pay.csv", "--duties", "rules.csv", "--repair", "-o", "out")
    tree = json.loads((payments / "out" / "roles.json").read_text())
    assert tree["conflicts"] == [] and len(tree["repaired"]) == 2 and len(tree["conflicts_before"]) == 2
    assert "Before: 6 direct grants." in found.output  # those taken too
    assert "2 grants taken before mining" in found.output and "nobody gains or loses" not in found.output


def test_a_change_says_what_it_does_to_conflicts(payments):
    run("pay.csv", "--forbid", "pay:create", "pay:approve", "-o", "out")
    roles = json.loads((payments / "out" / "roles.json").read_text())["roles"]
    approve = next(role["id"] for role in roles if role["permissions"] == ["pay:approve"])
    for name in (approve, approve.replace("0", ""), approve.lower()):
        assert "Conflicts with rules of separation: 0 (2 fewer" in run("what-if", "out", "--drop", name).output


@pytest.mark.parametrize("words", [["--repair"], ["--forbid", "pay:create", "nothing"], ["--duties", "absent.csv"]])
def test_rules_that_cannot_be_meant_are_refused(payments, words):
    found = run("pay.csv", *words, "-o", "out")
    assert found.exit_code == 2 and "Traceback" not in found.output


def test_a_cover_of_data_with_errors_says_so_and_one_of_clean_data_does_not(here):
    rng = np.random.default_rng(0)
    roles = rng.random((6, 60)) < 0.2
    held = (rng.random((150, 6)) < 0.3) @ roles
    clean = {(f"u{i}", f"p{j}") for i, j in np.argwhere(held)}
    wrong = {(f"u{i}", f"p{j}") for i, j in zip(rng.integers(150, size=40), rng.integers(60, size=40))}
    for name, pairs in (("clean", clean), ("spoilt", clean ^ wrong)):
        write(here / f"{name}.csv", sorted(pairs))
        result = run(f"{name}.csv", "--time-limit", 5, "-o", name)
        assert result.exit_code == 0, result.output
        assert ("The data seem to hold errors" in result.output) == (name == "spoilt")
    assert "describe them in" in (here / "spoilt" / "report.html").read_text(encoding="utf-8")
