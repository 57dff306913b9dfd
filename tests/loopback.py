"""A real Dask cluster on this machine: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from processes import environment

# their standard input ends with the process that started them, however that comes about
ORPHANS_END = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
"""


class Loopback:
    """A scheduler and workers; all end with the ``with`` block.

    Parameters
    ----------
    folder : Path
        Where the scheduler file and what the processes say is written.
    workers : int
        Of one thread each.
    modules : sequence of Path
        Folders with modules that the workers find.
    """

    def __init__(self, folder: Path, workers: int = 2, modules: Sequence[Path] = ()) -> None:
        self.folder, self.file, self.modules = folder, folder / "scheduler.json", modules
        self.processes: list[subprocess.Popen[bytes]] = []
        try:
            self._start("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
            self.address = self._address()
            self.workers = [self.add_worker() for _ in range(workers)]
        except BaseException:
            self.close()
            raise

    def add_worker(self, **variables: str) -> subprocess.Popen[bytes]:
        """Start one more worker."""
        words = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(self.folder))
        return self._start("worker", self.address, *words, **variables)

    def _start(self, what: str, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        code = f"{ORPHANS_END}from distributed.cli.dask_{what} import main; main()"
        with (self.folder / f"{what}-{len(self.processes)}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-c", code, "--host", "127.0.0.1", *words],
                env=environment(*self.modules, **variables),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def _address(self) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                return str(json.loads(self.file.read_text())["address"])
            except (OSError, ValueError):
                assert self.processes[0].poll() is None
                time.sleep(0.05)
        raise TimeoutError("no scheduler")

    def close(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
            if process.stdin:
                process.stdin.close()

    def __enter__(self) -> Loopback:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
