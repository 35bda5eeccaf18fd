"""A study's run in a process of its own, which can be stopped at any moment and ends with the kernel that began it."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

import xarray as xr

from condensation_lab.results import load, save
from condensation_lab.settings import StudySettings

_PATIENCE = 1.0  # seconds that a process has to end by itself when it is asked to


class RunError(RuntimeError):
    """A run that gave no result; the message is one sentence, `details` what Python said."""

    def __init__(self, sentence: str, details: str = "") -> None:
        super().__init__(sentence)
        self.details = details


class Spawned:
    """A run that goes on beside the kernel.

    Args:
        module: name of the study's module, with `Settings` and `run(settings)`; the new process imports it.
        settings: what to run.
    """

    def __init__(self, module: str, settings: StudySettings) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="condensation-lab-")
        self._files = Path(self._folder.name)
        (self._files / "settings.json").write_text(settings.to_json(), encoding="utf-8")
        self._began = time.perf_counter()
        self._stopped = False
        with (self._files / "said.txt").open("w") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, module, self._folder.name],
                stdin=subprocess.PIPE,  # it closes when this kernel ends, however it ends
                stdout=said,
                stderr=said,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                start_new_session=os.name == "posix",
            )

    @property
    def seconds(self) -> float:
        """Time since the beginning."""
        return time.perf_counter() - self._began

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the process, gently and, after a second, by force; does nothing to one that has ended."""
        if not self.running:
            return
        self._stopped = True
        self._signal("SIGTERM")
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._signal("SIGKILL")
            self._process.wait()

    def result(self) -> xr.Dataset | None:
        """Wait for the end and give the result, or None if it was stopped; the run's files are removed.

        Raises:
            RunError: the study refused the settings, failed, or its process died.
        """
        code = self._process.wait()
        with self._folder:
            if self._stopped:
                return None
            if code == 0:
                return load(self._files / "result.nc").load()
            said = (self._files / "said.txt").read_text(encoding="utf-8", errors="replace").strip()
            if (refused := self._files / "refused.txt").exists():
                raise RunError(refused.read_text(encoding="utf-8"), said)
            if "Traceback" in said:
                raise RunError(f"The run failed: {said.splitlines()[-1]}", said)
            raise RunError(f"The run's process died (exit code {code}).", said)

    def _signal(self, name: str) -> None:
        with contextlib.suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(self._process.pid, getattr(signal, name))
            else:
                self._process.kill()


def _end_with_the_kernel() -> None:
    os.read(0, 1)  # waits until the kernel's end of the pipe closes
    os._exit(1)


def _main(module: str, folder: str) -> int:
    threading.Thread(target=_end_with_the_kernel, daemon=True).start()
    files = Path(folder)
    study = importlib.import_module(module)
    values = json.loads((files / "settings.json").read_text(encoding="utf-8"))
    try:
        save(study.run(study.Settings.parse(values)), files / "result.nc")
    except ValueError as refusal:  # a study's refusal is one sentence; a fault of ours may look like one
        traceback.print_exc()
        (files / "refused.txt").write_text(str(refusal), encoding="utf-8")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))
