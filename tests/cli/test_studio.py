"""`unmix studio` without its extra says how to get it; with it, a wrong port or file is one sentence."""

import pytest
from click.testing import CliRunner

import unmix.cli.studio
from unmix.cli.main import main


def test_without_the_extra_it_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr(unmix.cli.studio, "find_spec", lambda name: None)
    answer = CliRunner().invoke(main, ["studio"])
    assert answer.exit_code == 2 and answer.output.strip().endswith("pip install 'unmix[studio]'")
    assert len(answer.output.strip().splitlines()) == 1


def test_a_file_that_is_not_there_is_said(tmp_path):
    pytest.importorskip("uvicorn", reason="the studio is an extra: pip install 'unmix[studio]'")
    answer = CliRunner().invoke(main, ["studio", str(tmp_path / "none.csv"), "--workspace", str(tmp_path / "w")])
    assert answer.exit_code == 2 and "There is no file" in answer.output
