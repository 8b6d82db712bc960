"""Jobs for the workers of a Dask cluster, one at a time for each worker.

The client makes a directory with a random token in it.  A worker does a job
only if it finds that token and has the same version of cooc; so one that sees
another file system is reported with its address.  A worker stops its job when
the token is gone.

Dask is not left to choose the worker of a job: it would give a worker with
eight threads eight jobs at once, each of which needs the memory for the
documents.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
import uuid
from collections import Counter, deque
from typing import Any, Callable, Deque, Dict, List, NamedTuple, Sequence, Tuple

from . import _abi
from ._lib import Progress, dll
from .errors import (BusyError, CancelledError, NotFoundError,
                     OutOfMemoryError, SystemRefusedError, VersionError)

_MEMORY_SHARE = 0.6     # of a worker's limit; Dask kills workers above 0.95
_MEMORY_MIN = 64 << 20  # COOC_COUNT_MEMORY_MIN
_BUSY_SECONDS = 120     # until the lock of a machine that died is released
_ALONE_SECONDS = 300    # how long to wait for a worker if there is none
_RESULT_SECONDS = 15    # to fetch a report from the worker, if it lives
_AGAIN = BusyError, OutOfMemoryError, SystemRefusedError


# ---- on a worker


class _Meeting(NamedTuple):
    """A directory that the client has made, for a worker to find."""

    folder: str
    token: str
    versions: Tuple[str, str]

    def check(self) -> None:
        """Raise an error if this worker cannot take part."""
        here = f"this worker, on {socket.gethostname()},"
        if self.versions != _versions():
            raise VersionError("{} has cooc {} with library {}, but the "
                               "client has cooc {} with library {}; install "
                               "the same version".format(here, *_versions(),
                                                         *self.versions))
        try:
            with open(self.folder + "/token", encoding="utf-8") as f:
                seen = f.read() == self.token
        except OSError:
            seen = False
        if not seen:
            raise NotFoundError(
                f"{here} cannot see {self.folder}, which the client has made; "
                "the store must be in a directory that the client and all "
                "workers share under the same path")

    def stop_if_over(self) -> Callable[[Any], None]:
        """A progress function that raises an exception when the client has
        removed the directory."""
        due = time.monotonic()

        def progress(_: Any) -> None:
            nonlocal due
            if time.monotonic() >= due:
                due = time.monotonic() + 2
                if not os.path.exists(self.folder + "/token"):
                    raise CancelledError("the client has stopped this job")
        return progress


def _versions() -> Tuple[str, str]:
    return _abi.VERSION, dll.cooc_version().decode()


def _work(meeting: _Meeting, function: Callable[..., Any], *arguments: Any,
          **options: Any) -> Any:
    """A job, on a worker.  A process that has lost its scheduler may still be
    at work on the same part, so a lock is worth waiting for."""
    from distributed import get_worker
    meeting.check()
    if options.get("memory") is None:
        limit = get_worker().memory_manager.memory_limit
        if limit:
            options["memory"] = max(int(limit * _MEMORY_SHARE),
                                    _MEMORY_MIN)
    due = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            return function(*arguments, **options,
                            progress=meeting.stop_if_over())
        except BusyError:
            if time.monotonic() >= due:
                raise
            time.sleep(1)


# ---- on the client


class _Lost(Exception):
    """A job must be done again."""


class Job(NamedTuple):
    what: str
    function: Callable[..., Any]
    arguments: Sequence[Any]
    options: Dict[str, Any]
    partition: Any = None       # the first argument, made by the worker


class Team:
    """The workers of a client, which do one job at a time each."""

    def __init__(self, client: Any, path: str, retries: int,
                 progress: Any) -> None:
        try:
            from distributed import default_client
        except ImportError as e:
            raise ImportError("cooc.distributed needs Dask (Debian: "
                              f"python3-distributed): {e}") from None
        if client is None:
            client = default_client()
        if progress is True:
            from ._show import Line
            progress = Line()
        self.client, self._retries, self._show = client, retries, progress
        token = uuid.uuid4().hex
        self.folder = f"{path}.parts-{token[:8]}"
        self._meeting = _Meeting(self.folder, token, _versions())
        self._running: Dict[Any, Tuple[int, str]] = {}

    def __enter__(self) -> "Team":
        os.mkdir(self.folder)
        with open(self.folder + "/token", "w", encoding="utf-8") as f:
            f.write(self._meeting.token)
        return self

    def __exit__(self, *_: Any) -> None:
        """Stop the workers, which look for the file, and remove the parts."""
        from distributed import wait
        try:
            os.unlink(self.folder + "/token")
        except OSError:         # removed by somebody else
            pass
        if self._running:
            futures = list(self._running)
            try:
                wait(futures, timeout=10)
            except Exception:   # timeout, or the cluster is gone
                pass
            self.client.cancel(futures)
        shutil.rmtree(self.folder, ignore_errors=True)
        close = getattr(self._show, "close", None)
        if close:
            close()

    def each(self, phase: str, jobs: Sequence[Job]) -> List[Any]:
        """Do all jobs; return their results in order."""
        results: List[Any] = [None] * len(jobs)
        todo: Deque[int] = deque(range(len(jobs)))
        lost: Dict[int, int] = Counter()
        done = 0
        while todo or self._running:
            self._report(phase, done, len(jobs))
            workers = self._hand_out(jobs, todo)
            for future, (i, address) in list(self._running.items()):
                if future.status == "pending" and address in workers:
                    continue
                del self._running[future]
                try:
                    results[i] = self._result(future, jobs[i], address)
                    done += 1
                except _Lost as e:
                    lost[i] += 1
                    if lost[i] > self._retries:
                        raise RuntimeError(
                            f"{jobs[i].what} failed {lost[i]} times; the last "
                            f"time, {e}") from None
                    todo.append(i)
        self._report(phase, done, len(jobs))
        return results

    def _report(self, phase: str, done: int, total: int) -> None:
        if self._show:
            self._show(Progress(phase, "jobs", done, total, 0, 0, 0))

    def _hand_out(self, jobs: Sequence[Job],
                  todo: Deque[int]) -> Dict[str, int]:
        """Give a job to every idle worker, and wait until one has finished.
        Returns the number of threads of each worker."""
        from distributed import TimeoutError, wait
        due = time.monotonic() + _ALONE_SECONDS
        workers = self.client.nthreads()
        while not workers:
            if time.monotonic() >= due:
                raise RuntimeError("the Dask cluster has had no worker for "
                                   f"{_ALONE_SECONDS} seconds")
            time.sleep(0.5)
            workers = self.client.nthreads()
        busy = {address for _, address in self._running.values()}
        for address in sorted(workers.keys() - busy):
            if todo:
                i = todo.popleft()
                future = self._start(jobs[i], address, workers[address])
                self._running[future] = i, address
        try:
            wait(list(self._running), timeout=0.5,
                 return_when="FIRST_COMPLETED")
        except TimeoutError:
            pass
        return self.client.nthreads()

    def _start(self, job: Job, address: str, threads: int) -> Any:
        options = dict(job.options)
        if not options.get("threads"):
            options["threads"] = threads
        if job.partition is None:
            return self.client.submit(
                _work, self._meeting, job.function, *job.arguments,
                workers=[address], pure=False, **options)
        from dask import delayed
        return self.client.compute(
            delayed(_work, pure=False)(self._meeting, job.function,
                                       job.partition, *job.arguments,
                                       **options), workers=[address])

    @staticmethod
    def _result(future: Any, job: Job, address: str) -> Any:
        """The result of a job that has ended, or of which the worker has."""
        from distributed import KilledWorker, TimeoutError
        try:
            if future.status == "finished":
                return future.result(timeout=_RESULT_SECONDS)
            error = future.exception(timeout=_RESULT_SECONDS) \
                if future.status == "error" else None
        except (OSError, TimeoutError):
            error = None
        future.cancel()
        if error is None or isinstance(error, KilledWorker):
            raise _Lost(f"worker {address} died, perhaps because memory ran "
                        "out; its log may say why")
        if isinstance(error, _AGAIN):
            raise _Lost(f"worker {address} failed: {error}")
        raise _at(f"{job.what} on worker {address}", error)


def _at(where: str, error: BaseException) -> BaseException:
    """The error of a worker, with its address."""
    if isinstance(error, ImportError):
        return ImportError(f"{where}: {error}; install cooc for the Python of "
                           "every worker")
    if error.args and isinstance(error.args[0], str):
        error.args = (f"{where}: {error.args[0]}", *error.args[1:])
    return error
