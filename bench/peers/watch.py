"""watch.py - run a program and its children, measure their time, memory and
temporary files, and kill them at a limit."""

import os
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

PAGE = os.sysconf("SC_PAGE_SIZE")


def members(session):
    """The processes of a session."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.getsid(int(name)) == session:
                    yield int(name)
            except OSError:
                pass


def resident(pid):
    """The resident memory of a process in bytes."""
    try:
        with open(f"/proc/{pid}/statm") as f:
            return int(f.read().split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def on_disk(directory):
    """The disk space of all files below a directory in bytes."""
    total = 0
    for at, _, names in os.walk(directory):
        for name in names:
            try:
                total += os.lstat(f"{at}/{name}").st_blocks * 512
            except OSError:
                pass
    return total


def removed_but_open(pid):
    """The disk space of unlinked temporary files that a process holds open,
    except its standard streams, which are unlinked files here, too."""
    total, seen = 0, set()
    try:
        for fd in set(os.listdir(f"/proc/{pid}/fd")) - {"0", "1", "2"}:
            s = os.stat(f"/proc/{pid}/fd/{fd}")
            if s.st_nlink == 0 and (s.st_dev, s.st_ino) not in seen:
                seen.add((s.st_dev, s.st_ino))
                total += s.st_blocks * 512
    except OSError:
        pass
    return total


class Watch(threading.Thread):
    """Samples a session until over is set; kills it at a limit."""

    def __init__(self, session, tmp, limit_s, limit_bytes, disk_left):
        super().__init__()
        self.session, self.tmp = session, tmp
        self.limits = limit_s, limit_bytes, disk_left
        self.peak = self.disk = 0
        self.over, self.why = threading.Event(), None

    def run(self):
        start, turn = time.monotonic(), 0
        while not self.over.wait(0.02 if turn > 500 else 0.002):
            pids = list(members(self.session))
            now = sum(map(resident, pids))
            self.peak = max(self.peak, now)
            if turn % 8 == 0:
                self.disk = max(self.disk, on_disk(self.tmp) + sum(
                    map(removed_but_open, pids)))
            turn += 1
            limit_s, limit_bytes, disk_left = self.limits
            if now > limit_bytes:
                self.why = "memory"
            elif shutil.disk_usage(self.tmp).free < disk_left:
                self.why = "disk"
            elif time.monotonic() - start > limit_s:
                self.why = "time"
            if self.why:
                os.killpg(self.session, signal.SIGKILL)
                return


def how_it_ended(status):
    """The reason of failure of a program that printed none."""
    if status < 0:
        return f"ended by {signal.Signals(-status).name}"
    return f"ended with status {status}"


def watched(command, tmp, limit_s, limit_bytes, disk_left, env=None):
    """Run a command.  In the result, "stopped" names the limit that it
    exceeded, and "failed" is its error message if it failed by itself.
    disk_left: bytes of disk space that must stay free."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        start = time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                 stdout=out, stderr=said,
                                 start_new_session=True,
                                 env=dict(os.environ, LC_ALL="C",
                                          TMPDIR=tmp, **(env or {})))
        watch = Watch(child.pid, tmp, limit_s, limit_bytes, disk_left)
        watch.start()
        try:
            # Keep the zombie, so that the watch cannot kill a reused id.
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        except BaseException:       # interrupted
            os.killpg(child.pid, signal.SIGKILL)
            raise
        finally:
            wall = time.monotonic() - start
            watch.over.set()
            watch.join()
            child.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out.seek(0)
        said.seek(0)
        seen = {"wall_s": wall,
                "cpu_s": after.ru_utime + after.ru_stime
                - before.ru_utime - before.ru_stime,
                "peak_bytes": watch.peak, "tmp_bytes": watch.disk,
                "printed": out.read().decode(errors="replace")}
        if watch.why:
            seen["stopped"] = watch.why
        elif child.returncode:
            # The last line, after a Python traceback.
            lines = said.read().decode(errors="replace").strip().split("\n")
            seen["failed"] = lines[-1] or how_it_ended(child.returncode)
        return seen
