import pytest

from unmix.io.base.errors import TableError
from unmix.io.in_memory.column_names import unique_names
from unmix.io.text.text_table import parse


def rows(text, prefer=None):
    table = parse(text, "t.csv", prefer)
    return table.frame.columns, table.frame.rows()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiter_and_line_ends_are_found(delimiter, end):
    text = end.join(delimiter.join(cells) for cells in (["a", "b"], ["1", "x"], ["2", "y"])) + end
    assert rows(text) == (["a", "b"], [("1", "x"), ("2", "y")])


def test_decimal_commas_do_not_pass_for_delimiters():
    assert rows("1,5;2,5\n3,5;4,5\n")[1] == [("1,5", "2,5"), ("3,5", "4,5")]
    assert rows("a;b\n1,5;2,5\n3,5;4,5\n")[0] == ["a", "b"]


def test_quoted_fields_keep_delimiters_quotes_and_line_breaks():
    text = 'name,"a\nb"\n"x, y",1\n"say ""hi""",2\n'
    assert rows(text) == (["name", "a\nb"], [("x, y", "1"), ('say "hi"', "2")])


def test_quotes_give_the_same_table_as_none():
    plain = "a,b\n1,x\n2,\n,y\n"
    assert rows(plain) == rows(plain.replace("x", '"x"'))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1,2\n3,4\n", ["column 1", "column 2"]),
        ("x,1\ny,2\n", ["column 1", "column 2"]),
        ("country,2007,2008,2009\nx,1,2,3\n", ["country", "2007", "2008", "2009"]),
        ("0,1,2\n5.5,6,7\n", ["0", "1", "2"]),
        ("kind,place\na,b\nc,d\n", ["kind", "place"]),
        (",a\n1,2\n", ["column 1", "a"]),
        ("a b\n7 8 9\n", ["row name", "a", "b"]),
        ("full name\nAnn Lee\nBob Ray\n", ["full name"]),
        ("0,1,2\n3,4,5\n", ["column 1", "column 2", "column 3"]),
    ],
)
def test_header_or_not(text, names):
    assert rows(text)[0] == names


def test_row_names_without_a_header_are_accepted_and_said():
    table = parse("a,b\nr1,1,2\nr2,3,4\n", "t.csv")
    assert table.frame.columns == ["row name", "a", "b"]
    assert any("row name" in warning for warning in table.warnings)


def test_comments_above_the_header_and_blank_lines_around_the_rows_are_skipped():
    assert rows("# made today\na,b\n\n1,2\n3,4\n\n") == (["a", "b"], [("1", "2"), ("3", "4")])
    assert rows("#a,b\n1,2\n3,4\n")[0] == ["#a", "b"]


def test_a_blank_line_between_rows_is_a_row_of_missing_values_and_is_counted():
    table = parse("# note\na,b\n1,2\n   \n3,4\n\n\n5,6\n\n", "t.csv")
    assert table.frame.rows() == [("1", "2"), (None, None), ("3", "4"), (None, None), (None, None), ("5", "6")]
    assert "3 empty lines (first: line 4) are rows of missing values." in table.warnings


def test_a_line_break_in_a_quoted_cell_is_no_blank_line():
    table = parse('a,b\n"1\n\n2",2\n3,4\n', "t.csv")
    assert table.frame.rows() == [("1\n\n2", "2"), ("3", "4")] and not table.warnings


@pytest.mark.parametrize("below_header", ["\n\n", "\n"])
def test_a_file_in_which_every_second_line_is_blank_has_no_missing_rows(below_header):
    table = parse(f"a,b{below_header}1,2\n\n3,4\n\n5,6\n", "t.csv")
    assert table.frame.rows() == [("1", "2"), ("3", "4"), ("5", "6")]
    assert "every second line" in table.warnings[0]


@pytest.mark.parametrize(
    ("text", "line", "given"),
    [
        ("a,b\n1,2\n\n3\n", 4, "1 field where 2"),
        ("a,b\n1,2,3\n3,4\n", 2, "3 fields where 2"),
        ('a,b\n"x\ny",2\n3\n', 4, "1 field where 2"),
        ("# note\na,b\n1,2\n3\n", 4, "1 field where 2"),
    ],
)
def test_uneven_lines_are_named(text, line, given):
    with pytest.raises(TableError, match=f"line {line}, has {given}"):
        parse(text, "t.csv")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        (" \n\n", "empty"),
        ("a,b\n", "no rows"),
        ('a,b\n1,"2\n3,4\n', "quotation mark.*line 2"),
        ('a,b\n1,2\n"x"y,4\n', "quotation mark.*line 3"),
    ],
)
def test_broken_tables_are_refused(text, words):
    with pytest.raises(TableError, match=words):
        parse(text, "t.csv")


def test_repeated_names_become_unique_and_are_said():
    warnings = []
    assert unique_names(["a", "a", "a (2)", "", "a"], warnings) == ["a", "a (3)", "a (2)", "column 4", "a (4)"]
    assert "renamed" in warnings[0]
    assert unique_names(["a", "b"], []) == ["a", "b"]


@pytest.mark.parametrize("text", ['""\n""\n""\n', '""', '""\r\n""', '" "\n" "\n', '""\n\n""\n'])
def test_a_table_of_empty_fields_alone_is_said_to_be_that(text):
    with pytest.raises(TableError, match=r"t.csv holds nothing but empty fields"):
        parse(text, "t.csv")


DOCUMENTS = {
    "<!DOCTYPE html>\n<html><head><title>Login</title></head></html>\n": "web page",
    "\ufeff\n  <HTML>\n<body></body></HTML>": "web page",
    "<html><body><table><tr><td>1</td></tr></table></body></html>": "web page",
    '<?xml version="1.0"?>\n<rows><row a="1"/></rows>': "XML",
    '{"a": [1, 2, 3], "b": 4}': "a JSON document",
    '{\n "a": 1,\n "b": 2\n}\n': "a JSON document",
    '[{"a": 1, "b": 2}, {"a": 3, "b": 4}]': "a JSON list",
    "[[1, 2], [3, 4]]": "a JSON list",
    "{}": "a JSON document",
    '{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n': r"name it \.jsonl",
}


@pytest.mark.parametrize("text", DOCUMENTS)
def test_documents_that_are_no_tables_are_called_by_their_name(text):
    with pytest.raises(TableError, match=rf"t.csv .*{DOCUMENTS[text]}"):
        parse(text, "t.csv")


@pytest.mark.parametrize(
    "text", ["<5,>5\n1,2\n3,4\n", "[m],[s]\n1,2\n3,4\n", "{a},{b}\n1,2\n3,4\n", "a,b\n<html>,1\n{},2\n"]
)
def test_marks_of_documents_in_a_table_are_cells(text):
    assert parse(text, "t.csv").frame.shape == (2, 2)
