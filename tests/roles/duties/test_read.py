"""Rules of separation read from tables."""

import pytest

from unmix.roles.duties.read import read_duties


def write(path, *lines):
    path.write_text("\n".join(["rule,permission,most", *lines]) + "\n")
    return str(path)


def test_lines_of_a_rule_are_its_members(tmp_path):
    found = read_duties(
        write(tmp_path / "rules.csv", "pay,create,", "books,open,2", "pay,approve,", "books,close,", "books,sign,")
    )
    assert [(duty.name, sorted(duty.members), duty.most) for duty in found] == [
        ("pay", ["approve", "create"], 1),
        ("books", ["close", "open", "sign"], 2),
    ]


@pytest.mark.parametrize("lines", [("pay,create,two", "pay,approve,"), ("pay,create,1", "pay,approve,2", "pay,see,")])
def test_what_is_no_number_is_said(tmp_path, lines):
    with pytest.raises(ValueError, match="give one whole number for a rule"):
        read_duties(write(tmp_path / "rules.csv", *lines))


def test_a_rule_of_one_is_none(tmp_path):
    with pytest.raises(ValueError, match="at least two different permissions"):
        read_duties(write(tmp_path / "rules.csv", "pay,create,"))


def test_a_table_without_rules_is_not_taken_for_one_that_nobody_breaks(tmp_path):
    with pytest.raises(ValueError, match="holds no rule"):
        read_duties(write(tmp_path / "rules.csv"))
