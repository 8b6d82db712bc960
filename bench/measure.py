"""measure.py - shared by all benchmarks: describe the machine, run and time
programs, make collections, print tables and save results."""

import array
import bisect
import json
import mmap
import os
import platform
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time

SRC = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = SRC + "/bench/results"
DOCS, DATA = SRC + "/docs", SRC + "/docs/data"    # the page, its numbers


def machine():
    """Processor, memory and kernel in one line."""
    model = platform.machine()
    with open("/proc/cpuinfo") as f:
        for line in f:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{model}, {cores()} cores, " \
           f"{memory / 2**30:.0f} GB memory, {platform.release()}"


def cores():
    return len(os.sched_getaffinity(0))


def memory_free():
    """Available memory in bytes."""
    with open("/proc/meminfo") as f:
        for line in f:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


# ---- running ---------------------------------------------------------------

def temporary_MB(pid):
    """Megabytes in unlinked files that a process holds open."""
    size = 0
    with os.scandir(f"/proc/{pid}/fd") as fds:
        for fd in fds:
            file = os.stat(fd.path)
            if stat.S_ISREG(file.st_mode) and not file.st_nlink:
                size += file.st_size
    return size / 1e6


class Late(Exception):
    """A program was stopped at its time limit; seen: its usage until then."""

    def __init__(self, seen):
        super().__init__("over its limit")
        self.seen = seen


def watch(pid, limit, seen, over):
    """Record the peak memory and temporary files of a process in seen until
    it ends; kill it at the limit."""
    start, rounds = time.monotonic(), 0
    while not over.wait(0.003):
        rounds += 1
        try:
            with open(f"/proc/{pid}/status") as f:
                for line in f:
                    if line.startswith("VmHWM:"):
                        seen["peak_MB"] = int(line.split()[1]) * 1024 / 1e6
            if rounds % 30 == 0:
                seen["temporary_MB"] = max(seen["temporary_MB"],
                                           temporary_MB(pid))
        except OSError:
            pass
        if limit and time.monotonic() - start > limit:
            seen["late"] = True
            os.killpg(pid, signal.SIGKILL)
            return


def measure(command, limit=None, locale="C"):
    """Run a command; return wall and CPU seconds, peak memory, temporary
    files and its output.

    Raises Late after limit seconds.  The peak is sampled while the program
    runs, because rusage would report this script's own peak if it is higher.
    """
    seen, over = {"peak_MB": 0.0, "temporary_MB": 0.0}, threading.Event()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        start = time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                 stdout=out, stderr=said,
                                 start_new_session=True,
                                 env=dict(os.environ, LC_ALL=locale))
        watcher = threading.Thread(target=watch,
                                   args=(child.pid, limit, seen, over))
        watcher.start()
        try:
            # Keep the zombie, so that the watcher cannot kill a reused id.
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        except KeyboardInterrupt:
            os.killpg(child.pid, signal.SIGKILL)
            raise
        finally:
            wall = time.monotonic() - start
            over.set()
            watcher.join()
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if seen.pop("late", False):
            raise Late(seen)
        if child.returncode:
            said.seek(0)
            sys.exit(f"bench: command failed: {' '.join(command)}\n"
                     + said.read().decode(errors="replace"))
        out.seek(0)
        return {"wall_s": wall, "cpu_s": used.ru_utime + used.ru_stime,
                "peak_MB": seen["peak_MB"],
                "temporary_MB": seen["temporary_MB"], "printed": out.read()}


def round_robin(runs, repeat, limit=None, after=None, late=None):
    """The best of repeat measurements of each of runs (name -> command).

    Commands run in turns, so that other load on the machine affects all of
    them alike.  A command that exceeds the limit once is not run again: its
    best is None, and late() is called to clean up.
    """
    best = {}
    for turn in range(repeat):
        for name, command in runs.items():
            if best.get(name, command) is None:
                continue
            say(f"{turn + 1}/{repeat} {name}")
            try:
                m = measure(command, limit)
            except Late:
                m = None
                if late:
                    late()
            if m and after:
                after(name, m)
            if m is None or name not in best or \
                    m["wall_s"] < best[name]["wall_s"]:
                best[name] = m
    say("")
    return best


def say(what):
    """Report progress: on a terminal in one line that is overwritten."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{what}")
        sys.stderr.flush()
    elif what:
        print(time.strftime("%H:%M:%S"), what, file=sys.stderr)


# ---- collections -----------------------------------------------------------

class Work:
    """A temporary directory on a disk, removed at the end."""

    def __init__(self, parent):
        parent = parent or os.environ.get("TMPDIR") or RESULTS
        os.makedirs(parent, exist_ok=True)
        kind = subprocess.run(["stat", "-f", "-c", "%T", parent],
                              stdout=subprocess.PIPE, check=True).stdout
        if kind.strip() in (b"tmpfs", b"ramfs"):
            sys.exit(f"bench: {parent} is in memory, not on a disk; choose "
                     "another directory with --dir")
        self.path = tempfile.mkdtemp(prefix="cooc-bench-", dir=parent)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)

    def free(self):
        return shutil.disk_usage(self.path).free


def copy_store(store, path):
    """Copy a store with hard links.  This is safe because cooc replaces
    files and never writes into them."""
    shutil.rmtree(path, ignore_errors=True)
    os.mkdir(path)
    for name in os.listdir(store):
        try:
            os.link(f"{store}/{name}", f"{path}/{name}")
        except OSError:
            shutil.copyfile(f"{store}/{name}", f"{path}/{name}")


def make_store(build, given, documents, work):
    """Make a store in the work directory; return its path and its name."""
    path = work.file("count.cooc")
    if not given:
        subprocess.run([build + "/bench/cooc-generate", "-f", "-n",
                        str(documents), path], check=True)
        return path, f"{documents:,} generated documents"
    if os.path.exists(given + "/manifest.json"):
        copy_store(given, path)
    else:
        measure([build + "/cooc", "index", "-q", "-o", path, given])
    return path, os.path.basename(given.rstrip("/"))


def numbers(path, kind, n):
    """The first n numbers of a file of the store, memory-mapped."""
    if not n:
        return memoryview(array.array(kind))
    with open(path, "rb") as f:
        whole = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
    return memoryview(whole)[:n * (8 if kind == "Q" else 4)].cast(kind)


def unwritten_pairs(store, manifest):
    """The number of pairs in rows of terms with df 1, which are not written.

    These terms have the last ids, so they are the last ids of their document,
    and their row is everything before them in the document.
    """
    n_docs, n_terms = manifest["documents"], manifest["terms"]
    off = numbers(store + "/inverted.off", "Q", n_terms + 1)
    first = bisect.bisect_left(range(n_terms), True,
                               key=lambda t: off[t + 1] - off[t] == 1)
    off = numbers(store + "/forward.off", "Q", n_docs + 1)
    ids = numbers(store + "/forward.bin", "I", manifest["postings"])
    pairs = 0
    for start, end in zip(off, off[1:]):
        n = end - start
        k = end - bisect.bisect_left(ids, first, start, end)
        pairs += k * (2 * n - k - 1) // 2
    return pairs


# ---- output ----------------------------------------------------------------

def figure(v):
    if isinstance(v, float):
        return f"{v:,.0f}" if v >= 100 else f"{v:.3g}"
    return f"{v:,}" if isinstance(v, int) else v


def table(rows, columns):
    """A Markdown table with aligned columns."""
    lines = [[c.replace("_", " ") for c in columns]]
    lines += [[figure(r.get(c, r.get("note", "") if c == "wall_s" else ""))
               for c in columns] for r in rows]
    widths = [max(len(line[i]) for line in lines)
              for i in range(len(columns))]
    rule = [":" + "-" * (widths[0] - 1)] + ["-" * (w - 1) + ":"
                                            for w in widths[1:]]
    text = ""
    for line in [lines[0], rule] + lines[1:]:
        text += "| " + " | ".join(
            [line[0].ljust(widths[0])]
            + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]) + " |\n"
    return text


def keep(what, about, rows, text):
    """Print the text; write it and the results to bench/results/."""
    os.makedirs(RESULTS, exist_ok=True)
    about = {"time": time.strftime("%Y-%m-%dT%H:%M:%S"),
             "machine": machine(), **about}
    base = f"{RESULTS}/{what}-{about['time'].replace(':', '')}"
    with open(base + ".json", "w") as f:
        json.dump({"about": about, what: rows}, f, indent=1)
        f.write("\n")
    columns = list(dict.fromkeys(k for r in rows for k in r))
    with open(base + ".tsv", "w") as f:
        f.write("\t".join(columns) + "\n")
        for r in rows:
            f.write("\t".join(str(r.get(c, "")) for c in columns) + "\n")
    text = f"Machine: {about['machine']}\n\n{text}"
    with open(base + ".md", "w") as f:
        f.write(text)
    print(text)
    print(f"Saved as {os.path.relpath(base)}.md, .tsv and .json")
