"""dask_cluster.py - a Dask cluster for tests: a scheduler and workers, which
are processes that talk over TCP on the loopback interface.

    with DaskCluster(os.path.abspath("dask"), workers=2) as cluster:
        client = cluster.client()

Worker processes are not restarted when they die; start_worker() adds one.
"""

import os
import subprocess
import sys
import time

from pyhelp import LIBRARY
from tap import SRC


class DaskCluster:
    def __init__(self, top, workers):
        os.makedirs(top)
        self.top, self.file = top, top + "/scheduler.json"
        self.env = dict(os.environ, PYTHONPATH=SRC + "/python",
                        COOC_LIBRARY=LIBRARY)
        self.processes, self._clients, self._n = [], [], workers

    def __enter__(self):
        try:
            self._start("scheduler", "--host", "127.0.0.1", "--port", "0",
                        "--no-dashboard", "--scheduler-file", self.file)
            due = time.monotonic() + 60
            while not os.path.exists(self.file):
                if time.monotonic() > due:
                    raise TimeoutError("no scheduler:\n" + self.logs())
                time.sleep(0.05)
            for _ in range(self._n):
                self.start_worker()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for client in self._clients:
            client.close(timeout=5)
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def _start(self, kind, *args, before=(), env=None):
        log = f"{self.top}/{kind}-{len(self.processes)}.log"
        with open(log, "w") as f:
            self.processes.append(subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", *before, sys.executable,
                 "-m", f"distributed.cli.dask_{kind}", *args],
                env=env or self.env, stdin=subprocess.DEVNULL, stdout=f,
                stderr=f))
        return self.processes[-1]

    def start_worker(self, threads=1, before=(), **env):
        """Start a worker, perhaps with another command before it, or with
        other environment variables."""
        return self._start(
            "worker", "--scheduler-file", self.file, "--host", "127.0.0.1",
            "--no-nanny", "--no-dashboard", "--nthreads", str(threads),
            "--memory-limit", "1GiB", "--local-directory", self.top,
            before=before, env=dict(self.env, **env))

    def workers(self):
        """Worker processes that are running."""
        return [p for p in self.processes[1:] if p.poll() is None]

    def client(self):
        from distributed import Client
        self._clients.append(Client(scheduler_file=self.file))
        self._clients[-1].wait_for_workers(len(self.workers()), timeout=60)
        return self._clients[-1]

    def logs(self):
        out = ""
        for name in sorted(os.listdir(self.top)):
            if name.endswith(".log"):
                with open(f"{self.top}/{name}", errors="replace") as f:
                    out += f"== {name}\n" + "".join(f.readlines()[-20:])
        return out
