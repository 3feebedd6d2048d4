"""Tables beside the access data that contradict themselves."""

import pytest

from unmix.cli.roles.input import read_risk, risks_of
from unmix.roles import read


def test_two_risks_of_one_permission(tmp_path):
    path = tmp_path / "risk.csv"
    path.write_text("permission,risk\npay,1\npay,1\nsee,0\n")
    assert read_risk(str(path)) == {"pay": 1.0, "see": 0.0}
    path.write_text("permission,risk\npay,1\npay,5\n")
    with pytest.raises(ValueError, match="different risks of 'pay'"):
        read_risk(str(path))


@pytest.mark.parametrize("cell", ["-1", "nan", "inf", "high", ""])
def test_a_risk_is_a_number(tmp_path, cell):
    path = tmp_path / "risk.csv"
    path.write_text(f"permission,risk\npay,{cell}\n")
    with pytest.raises(ValueError, match=r"risk of 'pay' is .*; give a number of at least 0"):
        read_risk(str(path))


def test_risks_of_permissions_that_nobody_has(tmp_path):
    access, path = read({"ann": ["pay", "see"]}), tmp_path / "risk.csv"
    path.write_text("permission,risk\npay,5\nkeys,9\n")
    assert risks_of(access, str(path)) == (
        {"pay": 5.0},
        ["The table of risks names 1 permission that nobody has (such as 'keys')."],
    )
    path.write_text("permission,risk\nkeys,9\n")
    with pytest.raises(ValueError, match=r"No permission of .* the first is 'keys'"):
        risks_of(access, str(path))
    assert risks_of(access, None) == ({}, [])
