"""Make the project's virtual environment, `.venv`, from the lock, and make it only once.

Run as `python3 -m condensation_lab.publish.environment`, with `src` on the path. It uses the standard library alone,
since nothing is installed when it runs. An environment is finished when its stamp says so; the stamp is written
last, so that an interrupted set-up is made afresh by the next run, and an unchanged one costs a few milliseconds.

On Linux the ordinary build of torch brings several gigabytes of CUDA packages. Where no NVIDIA driver is found,
the set-up takes the CPU build and never anything else: from PyTorch's own index if that answers within seconds,
from wherever pip finds one if not, and it stops when neither has one.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator  # noqa: UP035, an older Python must come as far as being told which one is needed

ROOT = Path(__file__).resolve().parents[3]
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
OVERRIDE = "CONDENSATION_LAB_TORCH_INDEX"
PATIENCE = 5.0  # seconds that an index has to answer; a reachable one takes a fraction of one
PYTHONS = ((3, 11), (3, 13))  # what requirements.txt is locked for
CUDA_PACKAGE = re.compile(r"(nvidia|cuda)[-_.]|(pytorch[-_.])?triton$", re.IGNORECASE)


class SetupError(RuntimeError):
    """The environment cannot be made; the message says why and what to do, in one sentence."""


def has_nvidia_driver() -> bool:
    """Whether this system can use a CUDA build of torch: a kernel driver, or the one that Windows lends to WSL."""
    return any(Path(trace).exists() for trace in ("/proc/driver/nvidia/version", "/usr/lib/wsl/lib/libcuda.so.1"))


def index_answers(url: str, seconds: float) -> bool:
    """Whether a package index has a page for torch, and sends it within `seconds`."""
    answers: list[bool] = []

    def ask() -> None:
        try:
            with urllib.request.urlopen(f"{url.rstrip('/')}/torch/", timeout=seconds) as reply:
                answers.append(bool(reply.status == 200))
        except (OSError, ValueError, http.client.HTTPException):
            answers.append(False)

    # A thread, since looking up the host's name can hang far beyond any time-out of the connection.
    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(seconds)
    return answers == [True]


def cuda_packages(report: dict) -> list[str]:  # type: ignore[type-arg]
    """Names of the CUDA packages that a pip installation report would install."""
    names = (item["metadata"]["name"] for item in report["install"])
    return sorted(name for name in names if CUDA_PACKAGE.match(name))


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Wait until no other set-up of this checkout runs, nor a pip that one left behind when it was killed.

    The lock lies on the folder itself, and the system opens it when the last process that holds it is gone.
    """
    try:
        import fcntl
    except ImportError:  # Windows has no such lock
        yield
        return
    handle = os.open(root, os.O_RDONLY)
    os.set_inheritable(handle, True)  # `run` hands it down
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("set-up: waiting for another one in this folder to end ...", flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def run(command: list[str], capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a command, blind to the PYTHONPATH that this module itself was found by, holding the lock of `alone`."""
    surroundings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    return subprocess.run(command, env=surroundings, text=True, check=False, capture_output=capture, close_fds=False)


def pip(python: Path, *arguments: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the environment's pip, and never that of the Python which the environment was made from."""
    return run([str(python), "-m", "pip", "--disable-pip-version-check", "--require-virtualenv", *arguments], capture)


def cpu_torch_arguments(python: Path, requirement: str, lock: Path) -> list[str]:
    """Pip arguments that install a CPU build of torch.

    Args:
        python: The environment's interpreter.
        requirement: What to install, such as `torch==2.13.0`.
        lock: Constraints for what torch itself needs.

    Returns:
        Arguments for `pip install`, tried in a dry run whose report lists no CUDA packages.

    Raises:
        SetupError: No source has a CPU build.
    """
    wish = os.environ.get(OVERRIDE, "")
    base = ["-c", str(lock), requirement]
    if wish == "pip":
        return base
    index = wish or TORCH_INDEX
    reasons = []
    sources = []
    if index_answers(index, PATIENCE):
        sources.append((index, ["--extra-index-url", index, *base]))
    else:
        reasons.append(f"{index} does not answer")
    if not wish:
        sources.append(("pip", base))
    for name, arguments in sources:
        trial = pip(python, "install", "--dry-run", "--quiet", "--report", "-", *arguments, capture=True)
        if trial.returncode:
            reasons.append(f"{name} finds none ({(trial.stderr.strip().splitlines() or ['no reason given'])[-1]})")
        elif unwanted := cuda_packages(json.loads(trial.stdout)):
            reasons.append(f"{name} would install {len(unwanted)} CUDA packages such as {unwanted[0]}")
        else:
            return arguments
    raise SetupError(
        f"no CPU build of {requirement} to be had: {'; '.join(reasons)}; "
        f"set {OVERRIDE} to the address of an index that has it, or to `pip` to take what pip finds, CUDA packages too."
    )


@contextmanager
def step(what: str) -> Iterator[None]:
    """Say what is being done, and after it how many seconds it took."""
    print(f"set-up: {what} ...", flush=True)
    begin = time.monotonic()
    yield
    print(f"set-up: {what}: {time.monotonic() - begin:.0f} s", flush=True)


def run_pip(python: Path, *arguments: str) -> None:
    """Install with pip, whose own words explain a failure."""
    if pip(python, "install", "--quiet", *arguments).returncode:
        raise SetupError(f"`pip install {' '.join(arguments)}` failed, for the reason given above.")


def digest(path: Path) -> str:
    """Hash of what a file says, comments aside."""
    lines = (line.split("#")[0].rstrip() for line in path.read_text(encoding="utf-8").splitlines())
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).hexdigest()


def prepare(root: Path = ROOT) -> bool:
    """Make `.venv` under `root` if it is missing, unfinished, moved, or made from another lock.

    A `.venv` that somebody else made is completed, never deleted.

    Args:
        root: The project's folder, with `requirements.txt` and `pyproject.toml`.

    Returns:
        Whether anything had to be done.

    Raises:
        SetupError: With one sentence that says what is missing and how to get it.
    """
    venv, lock = root / ".venv", root / "requirements.txt"
    stamp = venv / "set-up.json"
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = {"lock": digest(lock), "place": str(venv.resolve()), "package": digest(root / "pyproject.toml")}
    with alone(root):
        found = json.loads(stamp.read_text(encoding="utf-8")) if stamp.exists() else {}
        whole = python.exists() and (venv / "pyvenv.cfg").exists()
        if whole and found == wanted:
            return False
        if not whole or any(found.get(part) != wanted[part] for part in ("lock", "place")):
            if found or not whole:
                make_venv(venv, stamp)
            install_packages(python, lock)
        with step("installing condensation_lab itself"):
            run_pip(python, "--no-deps", "--no-build-isolation", "--editable", str(root))
        write_stamp(stamp, wanted)
    return True


def write_stamp(stamp: Path, content: dict[str, str]) -> None:
    """Write the stamp in one move: a stamp is whole or absent."""
    half_done = stamp.with_suffix(".new")
    half_done.write_text(json.dumps(content), encoding="utf-8")
    half_done.replace(stamp)


def make_venv(venv: Path, stamp: Path) -> None:
    """An empty virtual environment, marked as unfinished before anything else is in it."""
    running = sys.version_info[:2]
    if not PYTHONS[0] <= running <= PYTHONS[1]:
        low, high = (".".join(map(str, version)) for version in PYTHONS)
        raise SetupError(
            f"Python {running[0]}.{running[1]} is outside {low} to {high}, which requirements.txt is locked for; "
            f"name another one, as in `make PYTHON=python{high}`."
        )
    # Not sys.executable: with .venv activated that is the very file about to be deleted.
    base_python = getattr(sys, "_base_executable", sys.executable)
    with step("making .venv"):
        old = venv.with_name(".venv.old")  # half deleted, it must not be taken for an environment
        if old.exists():
            shutil.rmtree(old)
        if venv.exists():
            venv.rename(old)
            shutil.rmtree(old)
        venv.mkdir()
        write_stamp(stamp, {"lock": "unfinished"})
        if run([base_python, "-m", "venv", str(venv)]).returncode:
            raise SetupError(f"{base_python} cannot make a virtual environment, for the reason given above.")


def install_packages(python: Path, lock: Path) -> None:
    """Everything that the lock lists, torch first where its build has to be chosen."""
    locked = re.search(r"^torch==[^\s;]+", lock.read_text(encoding="utf-8"), re.MULTILINE)
    if locked and sys.platform == "linux" and not has_nvidia_driver():
        with step("installing the CPU build of torch"):
            run_pip(python, *cpu_torch_arguments(python, locked[0], lock))
    with step("installing the packages of requirements.txt (once, some minutes)"):
        run_pip(python, "--requirement", str(lock))


def main() -> int:
    """Prepare the environment of this checkout; 0 if it is ready."""
    try:
        prepare()
    except SetupError as error:
        print(f"set-up: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("set-up: interrupted; the next run makes it afresh.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
