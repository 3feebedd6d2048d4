"""A studio in a process of its own, asked over a socket as a browser does, and killed as nobody should."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).parents[2] / "src"
PATIENCE = 600.0  # seconds; a loaded machine starts processes slowly, and only what is broken waits to the end


class Server:
    def __init__(self, workspace: Path, *arguments: str, path: str = str(SOURCE)) -> None:
        pytest.importorskip("uvicorn", reason="the studio is an extra: pip install 'unmix[studio]'")
        environment = os.environ | {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "unmix", "studio", "--no-browser", "--workspace", str(workspace), *arguments]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        said = self.process.stderr.readline()
        self.link = re.search(r"http://\S+", said).group()
        self.port = int(re.search(r":(\d+)/", self.link).group(1))
        self.own = f"http://127.0.0.1:{self.port}"
        self.cookie = ""

    def enter(self) -> "Server":
        answer = self.raw("GET", self.link.removeprefix(self.own))[0]
        self.cookie = answer.getheader("set-cookie").partition(";")[0]
        return self

    def raw(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        known = {"Cookie": self.cookie} if self.cookie else {}
        connection.request(method, path, body, known | {"Origin": self.own} | headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def api(self, method: str, path: str, content: Any = None) -> dict:
        body = json.dumps(content) if content is not None else None
        return json.loads(self.raw(method, path, body, **{"Content-Type": "application/json"})[1])

    def state(self, run: str) -> dict:
        """The first thing that a watcher of this run is told."""
        with self.watch(run) as told:
            return json.loads(told.readline().removeprefix(b"data:"))

    def finish(self, run: str) -> None:
        """Return once this run is done."""
        told = wait_for(lambda: (state := self.state(run))["state"] not in ("queued", "running") and state)
        assert told["state"] == "done", told

    def watch(self, run: str) -> http.client.HTTPResponse:
        """Everything that a watcher is told, as it comes; the connection ends with the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", f"/runs/{run}/events", headers={"Cookie": self.cookie, "Connection": "close"})
        return connection.getresponse()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(PATIENCE)
        self.process.stderr.close()


def wait_for(look: Any, pause: float = 0.1) -> Any:
    """What `look` gives, as soon as it gives something."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, "nothing came"
        time.sleep(pause)
    return found
