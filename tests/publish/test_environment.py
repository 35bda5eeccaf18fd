"""The set-up, against package indexes of our own on the loopback interface that hold tiny wheels named torch."""

import base64
import hashlib
import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
import zipfile
from pathlib import Path

import pytest

from condensation_lab.publish import environment

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the ordinary torch is a CPU build")
TORCH = "torch==9.9"  # never the installed version, or pip would have nothing to do


def make_wheel(folder: Path, name: str, version: str, requires: tuple[str, ...] = ()) -> Path:
    """A wheel with nothing in it but its metadata."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files = {
        f"{info}/METADATA": metadata + "".join(f"Requires-Dist: {other}\n" for other in requires),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for path, text in files.items():
        hashed = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={hashed},{len(text)}\n"
    files[f"{info}/RECORD"] = record + f"{info}/RECORD,,\n"
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel


class Index(http.server.ThreadingHTTPServer):
    """A package index that serves the wheels of a folder, or answers late, or refuses."""

    daemon_threads = True

    def __init__(self, folder: Path, delay: float = 0.0, status: int = 200) -> None:
        super().__init__(("127.0.0.1", 0), Page)
        self.folder, self.delay, self.status = folder, delay, status
        self.asked: list[str] = []
        self.url = f"http://127.0.0.1:{self.server_port}/simple"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Page(http.server.BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        time.sleep(self.server.delay)
        if self.server.status != 200:
            return self.send_error(self.server.status)
        name = urllib.parse.unquote(self.path).strip("/").split("/")[-1]
        if name.endswith(".whl"):
            return self.reply((self.server.folder / name).read_bytes(), "application/octet-stream")
        wheels = sorted(self.server.folder.glob(f"{name.replace('-', '_')}-*.whl"))
        if not wheels:
            return self.send_error(404)
        links = "".join(f'<a href="/files/{wheel.name}">{wheel.name}</a>' for wheel in wheels)
        return self.reply(f"<!DOCTYPE html><html><body>{links}</body></html>".encode(), "text/html")

    def reply(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def indexes(tmp_path, monkeypatch):
    """Makes indexes; pip knows no other, whatever this machine's configuration says."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv(environment.OVERRIDE, raising=False)
    monkeypatch.setattr(environment, "has_nvidia_driver", lambda: False)
    monkeypatch.setattr(environment, "PATIENCE", 0.5)
    made: list[Index] = []

    def make(*wheels: tuple, **behaviour) -> Index:
        folder = tmp_path / f"index{len(made)}"
        for wheel in wheels:
            make_wheel(folder, *wheel)
        made.append(Index(folder, **behaviour))
        return made[-1]

    yield make
    for index in made:
        index.shutdown()
        index.server_close()


CPU = [("torch", "9.9+cpu", ("filelock",)), ("filelock", "1.0")]
PLAIN = [("torch", "9.9", ("filelock",)), ("filelock", "1.0")]
CUDA = [("torch", "9.9", ("nvidia-cublas", "triton")), ("nvidia-cublas", "13.0"), ("triton", "3.0")]


@pytest.fixture
def choose(tmp_path, monkeypatch):
    """What the set-up would do, given PyTorch's index and the ordinary one."""
    lock = tmp_path / "lock.txt"
    lock.write_text("filelock==1.0\n")

    def arguments(pytorch: str, ordinary: Index) -> list[str]:
        monkeypatch.setattr(environment, "TORCH_INDEX", pytorch)
        monkeypatch.setenv("PIP_INDEX_URL", ordinary.url)
        found = environment.cpu_torch_arguments(Path(sys.executable), TORCH, lock)
        assert found[-3:] == ["-c", str(lock), TORCH]
        return found[:-3]

    return arguments


def closed_port() -> str:
    """Address of a port on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{listener.getsockname()[1]}/whl/cpu"


def test_pytorchs_own_index_is_taken_when_it_answers(indexes, choose):
    pytorch = indexes(*CPU)
    assert choose(pytorch.url, indexes(*CUDA, *CPU[1:])) == ["--extra-index-url", pytorch.url]


def test_pip_is_taken_when_nobody_listens_at_pytorchs_index(indexes, choose):
    assert choose(closed_port(), indexes(*PLAIN)) == []


@pytest.mark.parametrize("status", [403, 404, 503])
def test_pip_is_taken_when_pytorchs_index_refuses(indexes, choose, status):
    assert choose(indexes(*CPU, status=status).url, indexes(*PLAIN)) == []


def test_pip_is_taken_soon_when_pytorchs_index_is_slow(indexes, choose):
    slow = indexes(*CPU, delay=30.0)
    begin = time.monotonic()
    assert choose(slow.url, indexes(*PLAIN)) == []
    assert time.monotonic() - begin < 10.0
    assert slow.asked == ["/simple/torch/"]


def test_an_index_without_this_version_never_leads_to_cuda_packages(indexes, choose):
    pytorch = indexes(("torch", "1.0+cpu"))
    with pytest.raises(environment.SetupError, match="CUDA packages"):
        choose(pytorch.url, indexes(*CUDA))


def test_cuda_packages_stop_the_set_up_with_one_sentence_that_names_the_override(indexes, choose):
    with pytest.raises(environment.SetupError) as refusal:
        choose(closed_port(), indexes(*CUDA))
    sentence = str(refusal.value)
    assert "2 CUDA packages such as nvidia-cublas" in sentence
    assert environment.OVERRIDE in sentence
    assert "\n" not in sentence


def test_an_index_without_any_torch_stops_the_set_up(indexes, choose):
    with pytest.raises(environment.SetupError, match="pip finds none"):
        choose(closed_port(), indexes())


def test_override_names_another_index(indexes, choose, monkeypatch):
    pytorch, other = indexes(*CPU), indexes(*CPU)
    monkeypatch.setenv(environment.OVERRIDE, other.url)
    assert choose(pytorch.url, indexes(*CUDA, *CPU[1:])) == ["--extra-index-url", other.url]
    assert pytorch.asked == []


def test_override_that_does_not_answer_stops_the_set_up_although_pip_has_a_build(indexes, choose, monkeypatch):
    dead = closed_port()
    monkeypatch.setenv(environment.OVERRIDE, dead)
    with pytest.raises(environment.SetupError, match=f"{dead} does not answer"):
        choose(indexes(*CPU).url, indexes(*PLAIN))


def test_override_by_the_word_pip_takes_cuda_packages_unasked(indexes, choose, monkeypatch):
    monkeypatch.setenv(environment.OVERRIDE, "pip")
    ordinary = indexes(*CUDA)
    assert choose(closed_port(), ordinary) == []
    assert ordinary.asked == []


TINY_BACKEND = """
import os, zipfile
def build_editable(folder, config_settings=None, metadata_directory=None):
    name = "tiny-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as archive:
        archive.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n")
        archive.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\\nTag: py3-none-any\\n")
        archive.writestr("tiny-1.0.dist-info/RECORD", "")
    return name
"""


@pytest.fixture(scope="module")
def empty_venv(tmp_path_factory):
    """A virtual environment with nothing but pip."""
    folder = tmp_path_factory.mktemp("template") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder


@pytest.fixture
def project(indexes, empty_venv, tmp_path, monkeypatch):
    """A project of two locked packages, and both indexes up."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "requirements.txt").write_text("# locked\nfilelock==1.0  # via torch\ntorch==9.9  # via tiny\n")
    (root / "backend.py").write_text(TINY_BACKEND)
    (root / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "tiny"\nversion = "1.0"\n'
    )
    monkeypatch.setattr(environment, "TORCH_INDEX", indexes(*CPU).url)
    monkeypatch.setenv("PIP_INDEX_URL", indexes(*CUDA, *CPU[1:]).url)
    really_run = environment.run

    def run(command: list[str], capture: bool = False) -> subprocess.CompletedProcess[str]:
        if command[1:3] != ["-m", "venv"]:
            return really_run(command, capture)
        shutil.copytree(empty_venv, command[3], symlinks=True, dirs_exist_ok=True)  # seconds faster than making it
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(environment, "run", run)
    return root


def installed(root: Path) -> dict[str, str]:
    """Packages in the project's environment, and their versions."""
    python = root / ".venv" / "bin" / "python"
    listing = subprocess.run(
        [python, "-m", "pip", "list", "--format", "json"], check=True, capture_output=True, text=True
    ).stdout
    return {item["name"]: item["version"] for item in json.loads(listing)}


def never(*_: object) -> None:
    raise AssertionError("nothing was to be installed")


@pytest.mark.slow
@on_linux
def test_environment_is_made_once_and_again_when_its_lock_changes(project, monkeypatch, capsys):
    assert environment.prepare(project)
    assert installed(project).items() >= {"torch": "9.9+cpu", "filelock": "1.0", "tiny": "1.0"}.items()
    printed = capsys.readouterr().out
    assert [line.rsplit(" ", 1)[1] for line in printed.splitlines()] == ["...", "s"] * 4

    with monkeypatch.context() as patch:
        patch.setattr(environment, "pip", never)
        begin = time.monotonic()
        assert not environment.prepare(project)
        assert time.monotonic() - begin < 0.5
    assert capsys.readouterr().out == ""

    left_over = project / ".venv" / "left-over"
    left_over.touch()
    with (project / "pyproject.toml").open("a") as pyproject:
        pyproject.write('description = "other words"\n')
    with monkeypatch.context() as patch:
        patch.setattr(environment, "install_packages", never)
        assert environment.prepare(project)
    assert left_over.exists()

    with (project / "requirements.txt").open("a") as lock:
        lock.write("# only a comment\n")
    assert not environment.prepare(project)
    with (project / "requirements.txt").open("a") as lock:
        lock.write("triton==3.0\n")
    assert environment.prepare(project)
    assert "triton" in installed(project)
    assert not left_over.exists()


@pytest.mark.slow
@on_linux
def test_interrupted_set_up_is_made_afresh(project, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(environment, "install_packages", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            environment.prepare(project)
    half_made = project / ".venv" / "half-made"
    half_made.touch()
    assert environment.prepare(project)
    assert not half_made.exists()
    assert "torch" in installed(project)


@pytest.mark.slow
@on_linux
def test_an_environment_made_by_hand_is_completed_and_not_deleted(project, empty_venv):
    shutil.copytree(empty_venv, project / ".venv", symlinks=True)
    own = project / ".venv" / "mine"
    own.touch()
    assert environment.prepare(project)
    assert own.exists()
    assert "torch" in installed(project)


@pytest.mark.slow
@on_linux
def test_a_broken_environment_is_made_afresh_and_the_python_below_it_left_alone(project):
    """Without its pyvenv.cfg an environment's interpreter is the one that it was made from."""
    assert environment.prepare(project)
    (project / ".venv" / "pyvenv.cfg").unlink()
    broken = environment.pip(project / ".venv" / "bin" / "python", "install", TORCH, capture=True)
    assert broken.returncode
    assert "virtualenv" in broken.stderr
    assert environment.prepare(project)
    assert "torch" in installed(project)


@on_linux
def test_a_second_set_up_waits_for_what_a_killed_one_left_running(tmp_path):
    import fcntl

    program = (
        "import os, pathlib, threading; from condensation_lab.publish import environment\n"
        f"with environment.alone(pathlib.Path({str(tmp_path)!r})):\n"
        "    threading.Timer(0.3, os._exit, [9]).start()\n"
        "    environment.run(['sleep', '2'])"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 9
    handle = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(handle)
    begin = time.monotonic()
    with environment.alone(tmp_path):
        assert 0.5 < time.monotonic() - begin < 5.0


def test_with_an_nvidia_driver_the_build_of_torch_is_left_to_pip(monkeypatch, tmp_path):
    asked: list[tuple[str, ...]] = []
    lock = tmp_path / "requirements.txt"
    lock.write_text("torch==9.9\n")
    monkeypatch.setattr(environment, "has_nvidia_driver", lambda: True)
    monkeypatch.setattr(environment, "run_pip", lambda python, *arguments: asked.append(arguments))
    environment.install_packages(Path("python"), lock)
    assert asked == [("--requirement", str(lock))]


def test_another_python_is_refused_in_one_sentence(monkeypatch, tmp_path):
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    monkeypatch.setattr(environment, "PYTHONS", ((3, 98), (3, 99)))
    with pytest.raises(environment.SetupError, match=r"is outside 3\.98 to 3\.99.*make PYTHON=python3\.99"):
        environment.prepare(tmp_path)
    assert not (tmp_path / ".venv").exists()


def test_the_lock_of_this_project_pins_torch_and_lists_no_cuda_packages():
    lock = (environment.ROOT / "requirements.txt").read_text(encoding="utf-8")
    names = [line.split("==")[0] for line in lock.splitlines() if not line.startswith("#")]
    assert "torch" in names
    assert [name for name in names if environment.CUDA_PACKAGE.match(name)] == []
    assert "://" not in lock
