"""What commands that play read about how: who plays, what is shown meanwhile, what is logged."""

from __future__ import annotations

import argparse
import contextlib
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tqdm import tqdm

from wuhan_core.errors import show
from wuhan_core.files import target_faults

from .arguments import read_whole

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def add_worker_options(command: argparse.ArgumentParser) -> None:
    """``--workers``, ``--scheduler``, ``--scheduler-file``, ``--log`` and ``--quiet``."""
    add = command.add_argument
    add("--workers", metavar="N", help="threads or processes (default: one per processor)")
    add(
        "--scheduler",
        metavar="WHO",
        help="who plays: threads (the default), processes, or the workers of a Dask scheduler, given by its "
        "address (tcp://host:8786)",
    )
    add("--scheduler-file", metavar="FILE", help="a Dask scheduler by the file that it writes")
    add("--log", metavar="FILE", help="append to this file what the run does")
    add("--quiet", action="store_true", help="no progress and no warnings on stderr")


def read_workers(options: argparse.Namespace, faults: list[str]) -> dict[str, Any]:
    """Return `workers`, `scheduler` and `progress` as `simulate` and `gather` take them; add every fault."""
    workers = None if options.workers is None else read_whole("workers", options.workers, faults, 1)
    scheduler: str | Path | None = options.scheduler
    if options.scheduler_file is not None:
        if scheduler is not None:
            faults.append("--scheduler and --scheduler-file must not be given both")
        scheduler = Path(options.scheduler_file)
    if workers is not None and scheduler not in (None, "threads", "processes"):
        faults.append(f"workers = {workers}, must not be given beside a cluster, which has its own")
    if isinstance(scheduler, str) and scheduler not in ("threads", "processes") and "://" not in scheduler:
        faults.append(
            f"scheduler = {show(scheduler)}, must be threads, processes or an address such as tcp://host:8786"
        )
    if options.log is not None:
        faults += target_faults("--log", options.log)
    return {"workers": workers, "scheduler": scheduler, "progress": not options.quiet}


@contextlib.contextmanager
def logging_as_told(options: argparse.Namespace) -> Iterator[None]:
    """Show warnings of ``wuhan_sim`` on stderr unless ``--quiet``, and append what it logs to ``--log``."""
    logger, level = logging.getLogger("wuhan_sim"), logging.getLogger("wuhan_sim").level
    handlers: list[logging.Handler] = [] if options.quiet else [_Shown(logging.WARNING)]
    if options.log is not None:
        file = logging.FileHandler(options.log, encoding="utf-8")
        file.setFormatter(logging.Formatter(_FORMAT))
        handlers.append(file)
        logger.setLevel(logging.INFO)
    for handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        logger.setLevel(level)
        for handler in handlers:
            logger.removeHandler(handler)
            handler.close()


class _Shown(logging.Handler):
    """Writes to stderr, above the bar where there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError, ValueError):  # what cannot be shown must not stop a run
            tqdm.write(self.format(record), file=sys.stderr)
