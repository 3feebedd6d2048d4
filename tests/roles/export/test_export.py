"""Exports multiply out to the access they came from, and no hostile name becomes code, a formula or markup."""

import ast
import csv
import json
import re
import zipfile
from xml.etree import ElementTree

import pytest

from tests.roles.export.json_schema import complaints
from unmix.roles import annotate, decide_exception, decide_role, explain, export, mine, read, review, schema
from unmix.roles.explanation.document import document, given_pairs
from unmix.roles.export.cedar import cedar_entities, cedar_policies
from unmix.roles.export.json_document import json_roles
from unmix.roles.export.rego import rego_policy
from unmix.roles.export.scim import scim_groups
from unmix.roles.export.tables import only_accepted
from unmix.roles.review.file import decisions_tree

HOSTILE = [
    '"); permit(principal, action, resource); //', '"}\nallow := true\nx := {"', "=cmd|' /C calc'!A0", "@SUM(1)", "a\\",
    "</t></is></c>", "_x0041_", "\x01\x0b", "\ud800", "ünï ☃ 𝄞", "${x}", "a\u2028b", "'=x", "R01", " ",
]  # fmt: skip
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def names(kind, hostile):
    return [f"{HOSTILE[k]}{kind}{k}" if hostile else f"{kind}{k}" for k in range(len(HOSTILE))]


def company(hostile):
    """Two blocks and a single grant; users and permissions have hostile names or plain ones in the same places."""
    users, held = names("u", hostile), names("p", hostile)
    pairs = [(users[i], held[j]) for i in range(15) for j in range(14) if i % 2 == j % 2]
    found = mine(read([*pairs, (users[0], held[14])]), min_users=2)
    tree = document(found, explain(found), source="x", version="0")
    made = decide_role(review(found), "R01", "accepted", name=HOSTILE[0] if hostile else "Sales", by="ann", at="2026")
    made = decide_exception(made, tree["exceptions"][0], "rejected", by="ann", at="2026")
    again = mine(found.access, min_users=2, decisions=made)
    return annotate(document(again, explain(again), source="x", version="0"), made), made


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "hostile"])
def case(request):
    return company(request.param)


def skeleton(text):
    return LITERAL.sub('""', text)


@pytest.mark.parametrize("write", [rego_policy, cedar_policies])
def test_names_stay_inside_literals(write):
    plain, hostile = (write(company(kind)[0]) for kind in (False, True))
    assert skeleton(plain) == skeleton(hostile)
    assert hostile.isascii()


def rego_objects(text):
    """The literals of the policy as values: sets become lists."""
    found = {}
    for name, body in re.findall(r"^(\w+) := (\{.*?^\}|\{\})$", text, flags=re.M | re.S):
        listed = re.sub(r": \{(.*)\},$", r": [\1],", body, flags=re.M).replace("set()", "[]")
        found[name] = json.loads(re.sub(r",\n\}$", "\n}", listed))
    return found


def test_rego_multiplies_out(case):
    tree = case[0]
    parts = rego_objects(rego_policy(tree))
    pairs = {(u, p) for u, roles in parts["user_roles"].items() for r in roles for p in parts["role_permissions"][r]}
    pairs |= {(u, p) for u, held in parts["single_grants"].items() for p in held}
    visible = {tuple(name.encode("utf-8", "backslashreplace").decode() for name in pair) for pair in given_pairs(tree)}
    assert pairs == visible


def unquoted(literal):
    return ast.literal_eval(re.sub(r"\\u\{([0-9a-f]+)\}", lambda m: f"\\U{int(m[1], 16):08x}", literal))


def test_cedar_multiplies_out(case):
    tree = case[0]
    holds, single = {}, {}
    for policy in cedar_policies(tree).split("permit (")[1:]:
        kind, who = re.search(r"(Role|User)::(\"(?:[^\"\\]|\\.)*\")", policy).groups()
        actions = {unquoted(action) for action in re.findall(r"Action::(\"(?:[^\"\\]|\\.)*\")", policy)}
        (holds if kind == "Role" else single)[unquoted(who)] = actions
    pairs = {(user, p) for user, held in single.items() for p in held}
    for entity in cedar_entities(tree):
        for parent in entity["parents"]:
            pairs |= {(entity["uid"]["id"], p) for p in holds[parent["id"]]}
    visible = {tuple(name.encode("utf-8", "backslashreplace").decode() for name in pair) for pair in given_pairs(tree)}
    assert pairs == visible


def test_scim_groups_have_what_the_standard_asks(case):
    tree = case[0]
    listed = scim_groups(tree)
    assert listed["totalResults"] == len(listed["Resources"]) == len(tree["roles"])
    members = {(m["value"], g["displayName"]) for g in listed["Resources"] for m in g["members"]}
    assert members == {(user, name) for user, held in tree["assignments"].items() for name in held}
    assert all(set(group["schemas"]) <= {*group, group["schemas"][0]} for group in listed["Resources"])


def test_json_keeps_its_schema(case):
    tree, made = case
    assert complaints(json_roles(tree), schema("roles")) == []
    assert complaints(decisions_tree(made), schema("decisions")) == []
    broken = json_roles(tree)
    broken["roles"][0]["status"] = "maybe"
    broken["users"][0]["extra"] = 1
    assert len(complaints(broken, schema("roles"))) == 2
    holds = {role["id"]: role["permissions"] for role in json_roles(tree)["roles"]}
    pairs = {(u["user"], p) for u in json_roles(tree)["users"] for r in u["roles"] for p in holds[r]}
    pairs |= {(u["user"], p) for u in json_roles(tree)["users"] for p in u["single_grants"]}
    assert pairs == given_pairs(tree)


def test_csv_bundle(case, tmp_path):
    tree = case[0]
    (tmp_path / "conflicts.csv").write_text("of an earlier export")
    written = {path.name for path in export(tree, "csv", tmp_path)}
    assert written >= {"roles.csv", "role_permissions.csv", "assignments.csv", "single_grants.csv", "actions.csv"}
    assert not (tmp_path / "conflicts.csv").exists()
    for path in tmp_path.glob("*.csv"):
        with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
            assert not any(cell[:1] in set("=+-@\t\r") and cell for row in csv.reader(file) for cell in row)


def cells(path):
    """Sheet name to rows of (is text, value), from the parts of the workbook."""
    space = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
    with zipfile.ZipFile(path) as archive:
        titles = [
            s.get("name")
            for s in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(f"{{{space['m']}}}sheet")
        ]
        found = {}
        for k, title in enumerate(titles, 1):
            sheet = ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{k}.xml"))
            assert sheet.find(".//m:f", space) is None
            found[title] = [
                [(c.get("t") == "inlineStr", "".join(c.itertext())) for c in row.findall("m:c", space)]
                for row in sheet.iter(f"{{{space['m']}}}row")
            ]
        return found


def test_workbook_has_no_formulas_and_all_rows(case, tmp_path):
    tree = case[0]
    export(tree, "excel", tmp_path / "roles.xlsx")
    sheets = cells(tmp_path / "roles.xlsx")
    assert len(sheets["Assignments"]) == 1 + sum(map(len, tree["assignments"].values()))
    texts = [text for rows in sheets.values() for row in rows for is_text, text in row if is_text]
    assert not any(text[:1] in set("=+-@\t\r") and text for text in texts)
    numbers = [text for rows in sheets.values() for row in rows for is_text, text in row if not is_text]
    assert all(float(text) >= 0 for text in numbers)


def test_accepted_roles_alone_take_nothing_from_anybody(case):
    tree = case[0]
    alone = only_accepted(tree)
    assert [role["id"] for role in alone["roles"]] == ["R01"]
    assert given_pairs(alone) == given_pairs(tree)


def test_unknown_kinds_are_refused(case, tmp_path):
    with pytest.raises(ValueError, match="kind is 'pdf'"):
        export(case[0], "pdf", tmp_path / "x")
    with pytest.raises(ValueError, match="name is 'x'"):
        schema("x")


def test_files_of_others_stay_and_tables_that_are_no_longer_true_are_empty(case, tmp_path):
    (tmp_path / "notes.txt").write_text("of somebody else")
    (tmp_path / "conflicts.csv").write_text("of an earlier export")
    export(case[0], "csv", tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "of somebody else"
    assert (tmp_path / "conflicts.csv").read_text().splitlines() == ["user,rule,holds,caused by,cheapest repair: take"]
