"""Directories, group lists and several files as one access; hand-written files with known members."""

import base64

import pytest

from unmix.roles import read

LDIF = f"""version: 1
# people
dn: uid=ann,ou=People,dc=x
uid: ann
title: Clerk
department: Sales

dn: cn=Doe\\, Bob,ou=People,dc=x
cn: Doe, Bob

dn: cn=crm,ou=Groups,dc=x
objectClass: groupOfNames
cn: crm
description:: {base64.b64encode("Kunden­daten".encode()).decode()}
member: UID=ann, ou=people,dc=x
member: cn=Doe\\, Bob,ou=People,
 dc=x

dn: cn=all,ou=Groups,dc=x
cn: all
member: cn=crm,ou=Groups,dc=x
member: uid=eve,ou=People,dc=x

dn: cn=unix,ou=Groups,dc=x
cn: unix
memberUid: eve
"""


def test_a_directory(tmp_path):
    (tmp_path / "groups.ldif").write_bytes(LDIF.replace("\n", "\r\n").encode())
    access = read(tmp_path / "groups.ldif")
    assert set(access.pairs()) == {
        ("ann", "crm"), ("Doe, Bob", "crm"), ("ann", "all"), ("Doe, Bob", "all"), ("eve", "all"), ("eve", "unix"),
    }  # fmt: skip
    assert access.permission_attributes == {"crm": {"description": "Kunden­daten"}}
    assert access.user_attributes == {"ann": {"department": "Sales", "title": "Clerk"}}
    assert [problem.kind for problem in access.problems] == ["nested_groups"]


def test_members_by_what_users_say_and_circles_of_groups(tmp_path):
    path = tmp_path / "a.ldif"
    path.write_text("dn: uid=ann,dc=x\nuid: ann\nmemberOf: cn=one,dc=x\n\ndn: cn=a,dc=x\ncn: a\nmember: cn=b,dc=x\n\n"
                    "dn: cn=b,dc=x\ncn: b\nmember: cn=a,dc=x\nmember: uid=ann,dc=x\n")  # fmt: skip
    assert set(read(path).pairs()) == {("ann", "one"), ("ann", "a"), ("ann", "b")}


def test_groups_of_one_name_stay_apart(tmp_path):
    path = tmp_path / "a.ldif"
    path.write_text("dn: cn=admin,ou=1\ncn: admin\nmemberUid: ann\n\ndn: cn=admin,ou=2\ncn: admin\nmemberUid: bob\n")
    assert set(read(path).pairs()) == {("ann", "cn=admin,ou=1"), ("bob", "cn=admin,ou=2")}


def test_group_lists(tmp_path):
    path = tmp_path / "access.group"
    path.write_text("# groups\nwheel:x:10:ann,bob\nempty:x:11:\nsales: eve, ann\n")
    assert set(read(path).pairs()) == {("ann", "wheel"), ("bob", "wheel"), ("eve", "sales"), ("ann", "sales")}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.ldif", "nothing here\n", "no colon"),
        ("a.ldif", "cn: x\n", "no entry with a line 'dn"),
        ("a.ldif", "dn: cn=x\nchangetype: modify\n", "lists changes"),
        ("a.ldif", "dn: cn=x\ncn: x\n", "no group with members"),
        ("a.ldif", "dn:: ??\n", "not base64"),
        ("a.group", "no group\n", "Line 1 of a.group"),
        ("a.group", "empty:\n", "no group with members"),
    ],
)
def test_files_that_are_none(tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=words):
        read(tmp_path / name)


def test_several_files(tmp_path):
    (tmp_path / "crm.csv").write_text("user,permission\nann,admin\nbob,read\n")
    (tmp_path / "erp.csv").write_text("user,permission\nann,admin\neve,post\n")
    files = [tmp_path / "crm.csv", str(tmp_path / "erp.csv")]
    joined = read(files)
    assert set(joined.pairs()) == {("ann", "admin"), ("bob", "read"), ("eve", "post")}
    assert [problem.kind for problem in joined.problems] == ["shared_permissions"]
    apart = read(files, prefix=True)
    assert set(apart.pairs()) == {("ann", "crm:admin"), ("bob", "crm:read"), ("ann", "erp:admin"), ("eve", "erp:post")}
    assert apart.problems == ()


def test_descriptions_of_permissions(tmp_path):
    (tmp_path / "what.csv").write_text("permission,description\nadmin,May do everything\nfax,Nobody has it\n")
    access = read([("ann", "admin")], permission_attributes=tmp_path / "what.csv")
    assert access.permission_attributes == {"admin": {"description": "May do everything"}}
