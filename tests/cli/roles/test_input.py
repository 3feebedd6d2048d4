"""Tables beside the access data that contradict themselves."""

import pytest

from unmix.cli.roles.input import read_risk


def test_two_risks_of_one_permission(tmp_path):
    path = tmp_path / "risk.csv"
    path.write_text("permission,risk\npay,1\npay,1\nsee,0\n")
    assert read_risk(str(path)) == {"pay": 1.0, "see": 0.0}
    path.write_text("permission,risk\npay,1\npay,5\n")
    with pytest.raises(ValueError, match="different risks of 'pay'"):
        read_risk(str(path))
