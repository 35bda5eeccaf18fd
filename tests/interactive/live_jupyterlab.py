"""Drive a real JupyterLab in a real browser: open a notebook, run it, ask its kernel."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError

from playwright.sync_api import Page

PANEL = "window.jupyterapp?.shell.currentWidget"


@contextmanager
def jupyterlab(python: Path, root: Path, scratch: Path, prefix: Sequence[str] = ()) -> Iterator[str]:
    """Start JupyterLab on a free loopback port and give its address; end it with its kernels afterwards.

    Args:
        python: interpreter of the environment under test.
        root: folder it serves.
        scratch: empty folder for its settings, workspaces and log.
        prefix: command to run it under, such as one that limits its memory.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex(16)
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": port,
        "ServerApp.port_retries": 0,
        "ServerApp.root_dir": root,
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": token,
        "LabApp.expose_app_in_browser": True,
        "LabApp.check_for_updates_class": "jupyterlab.NeverCheckForUpdate",
        "LabApp.extension_manager": "readonly",
    }
    command = [*prefix, str(python), "-m", "jupyterlab", *(f"--{name}={value}" for name, value in options.items())]
    folders = {f"JUPYTER_{kind}_DIR": str(scratch / kind.lower()) for kind in ("CONFIG", "RUNTIME")}
    folders |= {f"JUPYTERLAB_{kind}_DIR": str(scratch / kind.lower()) for kind in ("SETTINGS", "WORKSPACES")}
    # Its question about news would lie over the notebook.
    answered = scratch / "settings" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    answered.parent.mkdir(parents=True)
    answered.write_text('{"fetchNews": "false"}')
    with (scratch / "jupyterlab.log").open("w") as log:
        server = subprocess.Popen(
            command, env={**os.environ, **folders}, stdout=log, stderr=log, start_new_session=True
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_it_answers(server, f"{address}/api?token={token}", scratch / "jupyterlab.log")
            yield f"{address}|{token}"
        finally:
            with contextlib.suppress(ProcessLookupError):  # a server that died early has its own error to show
                os.killpg(server.pid, signal.SIGTERM)
                try:
                    server.wait(20)
                except subprocess.TimeoutExpired:
                    os.killpg(server.pid, signal.SIGKILL)
                    server.wait()


def _wait_until_it_answers(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    for _ in range(240):
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except (URLError, OSError):
            time.sleep(0.5)
        else:
            return
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


def open_notebook(page: Page, server: str, notebook: str) -> None:
    """Open a notebook (path below the served root) and wait for its kernel."""
    address, token = server.split("|")
    page.goto(f"{address}/lab/tree/{notebook}?reset&token={token}")
    page.wait_for_function(f"() => {PANEL}?.sessionContext?.session?.kernel?.status === 'idle'", timeout=60_000)


def run_all(page: Page) -> None:
    """Run every cell; a cell that fails fails the test."""
    finished = page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    assert finished, page.locator(".jp-OutputArea-output[data-mime-type*=stderr]").all_inner_texts()


def ask_kernel(page: Page, code: str, timeout: float = 60) -> str:
    """Run code in the notebook's kernel, behind what it is already doing, and give what it printed."""
    answer: dict[str, Any] = page.evaluate(
        f"""async ([code, patience]) => {{
            const future = {PANEL}.sessionContext.session.kernel.requestExecute({{ code }});
            let printed = "";
            future.onIOPub = ({{ content }}) => {{ printed += content.name === "stdout" ? content.text : ""; }};
            const late = new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), patience));
            const reply = await Promise.race([future.done, late]);
            return {{ printed, error: reply.content.evalue ?? "" }};
        }}""",
        [code, timeout * 1000],
    )
    assert not answer["error"], answer["error"]
    return str(answer["printed"]).strip()
