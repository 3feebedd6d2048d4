"""The studio as a browser that came by the link sees it, and as a stranger does.

It is an extra: tests skip where its server or starlette's test client is not installed.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from unmix.studio.access.session import Session
from unmix.studio.store.workspace import Workspace

PORT = 8000
OWN = f"http://127.0.0.1:{PORT}"
MOST = 100_000  # bytes of an upload here


def two_groups(n: int = 60) -> bytes:
    """A small table: two numbers in two groups, a name (one a formula), a category with a comma and markup in it."""
    rng = np.random.default_rng(0)
    x = np.r_[rng.normal(0, 1, n // 2), rng.normal(9, 1, n - n // 2)]
    y = rng.normal(size=n)
    lines = [f"{a:.4f},{b:.4f},\"<i>{i % 3}, 'q'</i>\",r{i}" for i, (a, b) in enumerate(zip(x, y))]
    lines[2] = lines[2].replace(",r2", ",=1+1")
    return ("height,width,kind,name\n" + "\n".join(lines) + "\n").encode()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path / "studio")
    yield made
    made.close()


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def stranger(workspace: Workspace, session: Session) -> Iterator:
    """Knows the address and nothing else."""
    pytest.importorskip("starlette", reason="the studio is an extra: pip install 'unmix[studio]'")
    pytest.importorskip("httpx2", reason="starlette's test client needs httpx2")
    from starlette.testclient import TestClient

    from unmix.studio.app import make_app

    app = make_app(workspace, PORT, session, most_upload=MOST)
    with TestClient(app, base_url=OWN, follow_redirects=False) as client:
        yield client


@pytest.fixture
def client(stranger, session: Session):
    """Came by the link."""
    assert stranger.get(f"/?token={session.token}").status_code == 303
    stranger.headers["origin"] = OWN
    return stranger


@pytest.fixture
def upload(client) -> Callable[..., str]:
    def send(content: bytes = two_groups(), name: str = "table.csv") -> str:
        answer = client.post("/api/tables", params={"name": name}, content=content)
        assert answer.status_code == 201, answer.text
        return answer.json()["table"]

    return send
