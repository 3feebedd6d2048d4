import numpy as np
import pandas
import polars
import pytest
import scipy.sparse as sp

from unmix.io.text.formula import guard, unguard
from unmix.roles import Access, read, write_pairs

PAIRS = [("ann", "read"), ("ann", "write"), ("bob", "read")]


def kinds(access):
    return [problem.kind for problem in access.problems]


@pytest.mark.parametrize(
    "text",
    [
        "user,permission\nann,read\nann,write\nbob,read\n",
        "ann,read\nann,write\nbob,read\n",
        "\ufeffUser;Permission\nann;read\nann;write\nbob;read\n",
        "ann\tread\nann\twrite\r\nbob\tread",
        "ann read\n\nann   write\nbob read\n",
        "user,read,write\nann,1,1\nbob,1,0\n",
        ",read,write\nann,TRUE,x\nbob,yes,\n",
    ],
)
def test_text_files(tmp_path, text):
    path = tmp_path / "access.csv"
    path.write_bytes(text.encode())
    access = read(path)
    assert access.pairs() == PAIRS
    assert not access.problems


def test_frames_matrices_and_mappings_agree(tmp_path):
    pandas_pairs = pandas.DataFrame(PAIRS, columns=["u", "p"])
    table = polars.DataFrame({"who": ["ann", "bob"], "read": [1, 1], "write": [True, False]})
    table.write_parquet(tmp_path / "t.parquet")
    indexed = pandas.DataFrame({"read": [1, 1], "write": [1, 0], "none": [0, 0]}, index=["ann", "bob"])
    matrix = np.array([[1, 1], [1, 0]])
    names = {"users": ["ann", "bob"], "permissions": ["read", "write"]}
    for access in (
        read(PAIRS),
        read(pandas_pairs),
        read(polars.from_pandas(pandas_pairs)),
        read(table),
        read(tmp_path / "t.parquet"),
        read(indexed),
        read({"ann": ["read", "write"], "bob": ["read"]}),
        read(matrix, **names),
        read(sp.csr_array(matrix), **names),
        read(np.array(PAIRS)),
    ):
        assert access.pairs() == PAIRS
    assert read(matrix).pairs() == [(0, 0), (0, 1), (1, 0)]
    assert read(indexed).permissions == ["read", "write", "none"]


def test_oddities_are_reported_and_nothing_is_merged():
    access = read([("Ann", "mail"), ("ann", "mail"), ("ann", "mail"), ("ann ", "Mail"), ("", "mail"), ("bob", None)])
    assert access.users == ["Ann", "ann", "ann "]
    assert access.permissions == ["mail", "Mail"]
    assert kinds(access) == ["duplicate_pairs", "blank_cells", "alike_users", "alike_permissions"]
    assert [problem.cases for problem in access.problems] == [1, 2, 1, 1]
    assert access.problems[1].examples == (5, 6)


def test_attributes_do_not_change_the_access_they_are_added_to():
    access = read(PAIRS)
    with_more = read(access, attributes={"ann": {"department": "sales"}, "eve": {}})
    assert with_more.user_attributes["ann"] == {"department": "sales"}
    assert access.user_attributes == {}
    assert not access.problems


def test_attributes(tmp_path):
    path = tmp_path / "users.csv"
    path.write_text("user,department\nann,sales\neve,law\n", encoding="utf-8")
    access = read(PAIRS, attributes=path, permission_attributes={"read": {"risk": 1}})
    assert access.user_attributes == {"ann": {"department": "sales"}}
    assert access.permission_attributes == {"read": {"risk": 1}}
    assert kinds(access) == ["unknown_users"]
    assert "'eve'" in access.problems[0].sentence


HOSTILE = [
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "'=x",
    "''@y",
    "'quoted'",
    'a"b',
    "a,b",
    "a\nb",
    " é ",
]


def test_export_is_harmless_and_reads_back(tmp_path):
    pairs = [(user, permission) for user in HOSTILE for permission in HOSTILE[:4]]
    write_pairs(Access.of_pairs(pairs), tmp_path / "out.csv")
    import csv

    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert not [cell for row in rows for cell in row if cell[:1] in tuple("=+-@\t\r")]
    back = read(tmp_path / "out.csv")
    assert back.pairs() == pairs
    assert [unguard(guard(name)) for name in HOSTILE] == HOSTILE


@pytest.mark.parametrize(
    "source, sentence",
    [
        ([], "no rows"),
        ([("a",)], "one column"),
        ([("a", "b"), ("a",)], "Row 2 has 1 cells"),
        ([("", "b")], "blank cell"),
        ([("a", 1, 2)], "where a table has 0 or 1"),
        (np.array([[0, 2]]), "other than 0 and 1"),
        (np.zeros(3), "1 dimensions"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(source, sentence):
    with pytest.raises(ValueError, match=sentence):
        read(source)


def test_missing_and_foreign_files(tmp_path):
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read(tmp_path / "no.csv")
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read(tmp_path / "no.parquet")
    (tmp_path / "latin.csv").write_bytes(b"ann,\xe9\n")
    assert read(tmp_path / "latin.csv").permissions == ["é"]
    with pytest.raises(TypeError, match="Cannot read access data from int"):
        read(3)
    with pytest.raises(ValueError, match="kind"):
        read(PAIRS, kind="list")


def test_lookups_and_objects():
    access = read([("ann", "db:prod:read"), ("ann", "mail:send"), ("bob", "mail:send")])
    assert access.permissions_of("ann") == {"db:prod:read", "mail:send"}
    assert access.users_of("mail:send") == {"ann", "bob"}
    assert access.split()["db:prod:read"] == ("db:prod", "read")
    assert access.objects() == ["db:prod", "mail"]
    with pytest.raises(KeyError, match="no user named"):
        access.permissions_of("eve")
    with pytest.raises(ValueError, match="between object and operation"):
        read(PAIRS).objects()
    with pytest.raises(ValueError, match="Two users are named 'a'"):
        Access(["a", "a"], ["p"], [[1], [0]])
    with pytest.raises(ValueError, match="shape"):
        Access(["a"], ["p"], [[1], [0]])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize(
    "titles", ["user,permission", "Benutzer;Recht", "Utilisateur,Droit d'accès", "Usuario;Permiso"]
)
def test_titles_in_other_languages_and_encodings_of_spreadsheets(tmp_path, titles, encoding):
    lines = [titles, "jürgen,büro", "ann,büro", "ann,mail", "bob,mail"]
    text = "\n".join(line.replace(",", ";") if ";" in titles else line for line in lines)
    (tmp_path / "access.csv").write_text(text, encoding=encoding)
    access = read(tmp_path / "access.csv")
    assert set(access.users) == {"jürgen", "ann", "bob"} and set(access.permissions) == {"büro", "mail"}
    assert not access.problems


def test_a_first_line_that_may_be_a_title_is_told_and_kept(tmp_path):
    path = tmp_path / "access.csv"
    path.write_text("kunde,dienst\nann,mail\nann,web\nbob,mail\n", encoding="utf-8")
    access = read(path)
    assert [problem.kind for problem in access.problems] == ["lonely_first_line"] and "kunde" in access.users
    assert "'dienst' to 'kunde'" in access.problems[0].sentence
    assert not read(path, header=True).problems and not read(path, header=False).problems
    path.write_text("eve,mail\nann,mail\nann,web\nbob,mail\n", encoding="utf-8")
    assert not read(path).problems


def said(path, text):
    path.write_text(text)
    return [
        problem.sentence for problem in read(PAIRS, attributes=path).problems if "attribute table" in problem.sentence
    ]


def test_attributes_that_contradict_each_other_or_of_nobody_are_said(tmp_path):
    path = tmp_path / "users.csv"
    assert said(path, "user,department\nann,sales\nann,sales\n") == []
    (twice,) = said(path, "user,department\nann,sales\nann,law\n")
    assert twice == "The attribute table says different things of 1 user (such as 'ann'); the last line counts."
    (nobody,) = said(path, "user,department\nANN2,sales\n")
    assert nobody.startswith("Nothing of the attribute table of users is used: are the names")
    (empty,) = said(path, "user,department\n")
    assert empty == "Nothing of the attribute table of users is used: it holds no rows."


def test_a_table_of_names_alone_says_nothing_of_users(tmp_path):
    path = tmp_path / "users.csv"
    path.write_text("user\nann\n")
    access = read([("ann", "mail"), ("bob", "mail")], attributes=path)
    assert [problem.sentence for problem in access.problems] == [
        "The attribute table of users has one column alone, so it says nothing of them."
    ]
