"""Jobs for the workers of a Dask cluster, one at a time for each worker.

The client makes a directory with a random token in it.  A worker does a job
only if it finds that token and has the same version of cooc; so one that sees
another file system is reported with its address.  A worker stops its job when
the token is gone.

Dask is not left to choose the worker of a job: it would give a worker with
eight threads eight jobs at once, each of which needs the memory for the
documents.  It does choose the worker that makes a partition of a bag: the same
task may be needed again when the first worker is dead, and Dask does not forget
to which worker a task was once restricted.  So only the job itself, which has a
new key each time, is restricted to a worker.
"""

from __future__ import annotations

import os
import shutil
import socket
import time
import uuid
from collections import Counter, deque
from typing import (Any, Callable, Deque, Dict, List, NamedTuple, Optional,
                    Sequence, Tuple)

from . import _abi
from ._lib import Progress, dll
from .errors import (BusyError, CancelledError, NotFoundError,
                     OutOfMemoryError, SystemRefusedError, VersionError)

_MEMORY_SHARE = 0.6     # of a worker's limit; Dask kills workers above 0.95
_MEMORY_MIN = 64 << 20  # COOC_COUNT_MEMORY_MIN
_BUSY_SECONDS = 120     # until the lock of a machine that died is released
_ALONE_SECONDS = 300    # how long to wait for a worker if there is none
_RESULT_SECONDS = 15    # to fetch a report from the worker, if it lives
_STALLED_SECONDS = 30   # until a job that Dask does not start is given up
_LOOK_SECONDS = 2       # between two looks for such jobs
_OVER = "over"          # instead of the token
_AGAIN = BusyError, OutOfMemoryError, SystemRefusedError


# ---- on a worker


class _Meeting(NamedTuple):
    """A directory that the client has made, for a worker to find."""

    folder: str
    token: str
    versions: Tuple[str, str]

    def read(self) -> Optional[str]:
        """What is written there: the token; _OVER when the client has stopped;
        None if this worker does not see it."""
        try:
            with open(self.folder + "/token", encoding="utf-8") as f:
                return f.read()
        except OSError:
            return None

    def check(self) -> None:
        """Raise an error if this worker cannot take part."""
        here = f"this worker, on {socket.gethostname()},"
        if self.versions != _versions():
            raise VersionError("{} has cooc {} with library {}, but the "
                               "client has cooc {} with library {}; install "
                               "the same version".format(here, *_versions(),
                                                         *self.versions))
        seen = self.read()
        if seen == _OVER:
            raise CancelledError("the client has stopped this job")
        if seen != self.token:
            raise NotFoundError(
                f"{here} cannot see {self.folder}, which the client has made; "
                "the store must be in a directory that the client and all "
                "workers share under the same path")

    def stop_if_over(self) -> Callable[[Any], None]:
        """A progress function that raises an exception when the client has
        stopped, or has removed the directory."""
        due = time.monotonic()

        def progress(_: Any) -> None:
            nonlocal due
            if time.monotonic() >= due:
                due = time.monotonic() + 2
                if self.read() != self.token:
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
    partition: Any = None       # the first argument, made by Dask

    def keys(self) -> List[str]:
        """The keys of the tasks that make the partition."""
        if self.partition is None:
            return []
        graph = self.partition.__dask_graph__()
        if hasattr(graph, "cull"):
            graph = graph.cull({self.partition.key})
        return [str(k) for k in graph]


class _Try:
    """A job that a worker was given."""

    def __init__(self, number: int, address: str, partition: Any) -> None:
        self.number, self.address = number, address
        self.partition = partition      # a future that must be kept, or None
        self.progress = time.monotonic()    # when it was last seen to be done


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
        self._running: Dict[Any, _Try] = {}
        self._looked = time.monotonic()

    def __enter__(self) -> "Team":
        parent = os.path.dirname(self.folder)
        if not os.path.isdir(parent):
            raise NotFoundError(f"the directory {parent} does not exist; "
                                "create it first, where all workers see it")
        os.mkdir(self.folder)
        self._write_token(self._meeting.token)
        return self

    def _write_token(self, token: str) -> None:
        with open(self.folder + "/token~", "w", encoding="utf-8") as f:
            f.write(token)
        os.replace(self.folder + "/token~", self.folder + "/token")

    def __exit__(self, *_: Any) -> None:
        """Stop the workers, which look for the file, and remove the parts."""
        from distributed import wait
        try:
            self._write_token(_OVER)
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
            stalled = self._stalled(jobs)
            for future, t in list(self._running.items()):
                if future.status == "pending" and t.address in workers \
                        and future not in stalled:
                    continue
                del self._running[future]
                t.partition = None      # so that Dask makes it again
                try:
                    results[t.number] = self._result(
                        future, jobs[t.number], t.address, future in stalled)
                    done += 1
                except _Lost as e:
                    lost[t.number] += 1
                    if lost[t.number] > self._retries:
                        raise RuntimeError(
                            f"{jobs[t.number].what} failed {lost[t.number]} "
                            f"times; the last time, {e}") from None
                    todo.append(t.number)
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
        busy = {t.address for t in self._running.values()}
        for address in sorted(workers.keys() - busy):
            if todo:
                i = todo.popleft()
                self._start(i, jobs[i], address, workers[address])
        try:
            wait(list(self._running), timeout=0.5,
                 return_when="FIRST_COMPLETED")
        except TimeoutError:
            pass
        return self.client.nthreads()

    def _start(self, number: int, job: Job, address: str,
               threads: int) -> None:
        options = dict(job.options)
        if not options.get("threads"):
            options["threads"] = threads
        arguments, partition = list(job.arguments), None
        if job.partition is not None:
            partition = self.client.compute(job.partition)
            arguments.insert(0, partition)
        future = self.client.submit(
            _work, self._meeting, job.function, *arguments, workers=[address],
            pure=False, **options)
        self._running[future] = _Try(number, address, partition)

    def _stalled(self, jobs: Sequence[Job]) -> List[Any]:
        """Futures of jobs that cannot start: their worker is idle, and no worker
        makes what they need."""
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return []
        self._looked, stalled = now, []
        processing = self.client.processing()
        at_work = {str(k) for keys in processing.values() for k in keys}
        for future, t in self._running.items():
            if processing.get(t.address) or future.status != "pending" or \
                    not at_work.isdisjoint(jobs[t.number].keys()):
                t.progress = now
            elif now - t.progress > _STALLED_SECONDS:
                stalled.append(future)
        return stalled

    @staticmethod
    def _result(future: Any, job: Job, address: str, stalled: bool) -> Any:
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
        if stalled:
            raise _Lost(f"Dask had not started it on worker {address} for "
                        f"{_STALLED_SECONDS} seconds, although that was idle")
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
