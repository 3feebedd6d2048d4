"""One set of settings as address, command and code: each gives the others back."""

import pytest

import unmix
from unmix.cli.explore import explore as command
from unmix.cli.explore import kind_given, spoken
from unmix.studio.store.settings import command_line, python_line, read_settings, role_of, write_query

GIVEN = {
    "seed": 7,
    "use": ["height", "a & b = c"],
    "drop": ["x;y"],
    "type": {"zip=code": "category", "it's": "number"},
    "id": "näme",
    "k": 3,
    "categories": "use",
    "sample": 500,
}


def test_settings_come_back_from_their_address():
    assert read_settings(write_query(GIVEN)) == GIVEN
    assert read_settings("") == {"seed": 0}
    assert write_query({"seed": 0, "categories": "auto"}) == ""


def test_the_command_line_says_the_same():
    import shlex

    words = shlex.split(command_line("my table.csv", GIVEN))
    assert words[:3] == ["unmix", "explore", "my table.csv"]
    parsed = command.make_context("explore", words[2:]).params
    found = spoken(parsed) | {"type": dict(map(kind_given, parsed["types"]))}
    assert {name: found[name] for name in GIVEN} == GIVEN


def test_the_python_line_says_the_same(monkeypatch):
    heard = {}
    monkeypatch.setattr(unmix, "explore", lambda table, **options: heard.update(table=table, **options), raising=False)
    exec(python_line("my table.csv", GIVEN), {"unmix": unmix})
    assert heard == {"table": "my table.csv", **GIVEN}


@pytest.mark.parametrize(
    "query",
    [
        "command=rm",
        "progress=1",
        "k=0",
        "k=-1",
        "k=1e3",
        "k=٣",
        "seed=99999999999",
        "as_=pickle",
        "type=x",
        "%ff=1",
        "drop=" + "a" * 20_000,
        "&".join(["drop=a"] * 2500),
    ],
    ids=lambda query: query[:20],
)
def test_what_is_no_setting_is_refused(client, upload, query):
    with pytest.raises(ValueError):
        read_settings(query)
    answer = client.post("/api/runs", json={"table": upload(), "query": query})
    assert 400 <= answer.status_code < 500 and answer.json()["error"]


def test_the_role_of_a_column():
    assert [role_of(name, GIVEN) for name in ("height", "x;y", "näme", "other")] == ["use", "drop", "id", ""]
