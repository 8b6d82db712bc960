"""ranks.py - run cooc-mpi with mpirun, on this machine or on two "hosts": each
is a network, UTS and mount namespace of its own, connected to the other by a
pair of virtual Ethernet devices limited to 1 Gbit/s."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time

from tap import BUILD, ended, skip

MPI = BUILD + "/cooc-mpi"
ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
           OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           OMPI_MCA_rmaps_base_oversubscribe="1",
           OMPI_MCA_btl_base_warn_component_unused="0")
LIMIT = 240     # seconds, more than any run needs


def need_mpi():
    """Skip the test unless cooc-mpi is built and mpirun is installed."""
    if not os.path.exists(MPI):
        skip("cooc-mpi", "cooc-mpi is not built; run: make mpi")
        ended()
    if not shutil.which("mpirun"):
        skip("cooc-mpi", "mpirun is not installed")
        ended()


def mpirun(ranks, *args, program=MPI, options=(), **how):
    """Run cooc-mpi on this machine: a CompletedProcess."""
    how.setdefault("env", ENV)
    return subprocess.run(
        ["mpirun", "-n", str(ranks), *options, program, *args],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=LIMIT, check=False, **how)


def start(ranks, *args, **how):
    """Start cooc-mpi; its processes are in a session of their own."""
    return subprocess.Popen(["mpirun", "-n", str(ranks), MPI, *args],
                            stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, env=ENV,
                            start_new_session=True, **how)


def children(pid):
    """The ranks that this mpirun has started on this machine."""
    done = subprocess.run(["pgrep", "-P", str(pid), "-x", "cooc-mpi"],
                          stdout=subprocess.PIPE, check=False)
    return [int(p) for p in done.stdout.split()]


def wait_for_ranks(child, ranks, seconds=30):
    """The process ids of the ranks when all have started."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and child.poll() is None:
        found = children(child.pid)
        if len(found) == ranks:
            return found
        time.sleep(0.01)
    return []


def end_of(child):
    """Wait until it ends: exit status, stderr.  None if it hangs."""
    try:
        return child.wait(timeout=60), child.stderr.read().decode()
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        return None, child.stderr.read().decode()


def stats(path="stats.json"):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


class Hosts:
    """Two hosts, nodea and nodeb, that share the files of this machine."""

    NAMES = ("nodea", "nodeb")

    def __init__(self):
        self.dir = os.path.abspath("hosts")
        os.mkdir(self.dir)
        self.pids = []
        for _ in self.NAMES:
            self.pids.append(subprocess.Popen(
                ["unshare", "--net", "--uts", "--mount", "sleep", "3600"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
        try:
            self._connect()
        except BaseException:
            self.close()
            raise

    def _connect(self):
        own = os.readlink("/proc/self/ns/net")
        end = time.monotonic() + 10
        while any(os.readlink(f"/proc/{p.pid}/ns/net") == own
                  for p in self.pids):
            if time.monotonic() > end or any(p.poll() is not None
                                             for p in self.pids):
                raise OSError("cannot make namespaces")
            time.sleep(0.01)
        a, b = (str(p.pid) for p in self.pids)
        with open(self.dir + "/hosts", "w", encoding="utf-8") as f:
            f.write("127.0.0.1 localhost\n10.77.0.1 nodea\n10.77.0.2 nodeb\n")
        subprocess.run(["ip", "link", "add", "name", "eth0", "netns", a,
                        "type", "veth", "peer", "name", "eth0", "netns", b],
                       check=True)
        for i, name in enumerate(self.NAMES):
            for command in (f"ip addr add 10.77.0.{i + 1}/24 dev eth0",
                            "ip link set lo up", "ip link set eth0 up",
                            "tc qdisc add dev eth0 root tbf rate 1gbit "
                            "burst 256kb latency 50ms",
                            f"mount --bind {self.dir}/hosts /etc/hosts",
                            f"hostname {name}"):
                self.on(name, *command.split())
        with open(self.dir + "/agent", "w", encoding="utf-8") as f:
            f.write(f"""#!/bin/sh
# Run a command on a host, as ssh does.
case $1 in nodea) pid={a} ;; nodeb) pid={b} ;; *) exit 1 ;; esac
shift
exec nsenter -t $pid -n -u -m -w'{os.getcwd()}' -- sh -c "$*"
""")
        os.chmod(self.dir + "/agent", 0o755)

    def on(self, name, *command):
        """Run a command on a host: its output."""
        pid = self.pids[self.NAMES.index(name)].pid
        return subprocess.run(
            ["nsenter", "-t", str(pid), "-n", "-u", "-m",
             "-w" + os.getcwd(), "--", *command], check=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE).stdout.decode()

    def bytes_sent(self):
        """The bytes that both devices have sent."""
        total = 0
        for name in self.NAMES:
            for line in self.on(name, "cat", "/proc/net/dev").splitlines():
                if "eth0" in line:
                    total += int(line.split()[9])
        return total

    def mpirun(self, ranks, *args, on_a=1, program=MPI):
        """Run cooc-mpi, started on nodea: on_a ranks there, the others on
        nodeb."""
        settings = {"btl": "tcp,self", "btl_tcp_if_include": "eth0",
                    "oob_tcp_if_include": "eth0",
                    "plm_rsh_agent": self.dir + "/agent"}
        env = {f"OMPI_MCA_{k}": v for k, v in settings.items()}
        command = ["mpirun", "--host", f"nodea:{on_a},nodeb:{ranks - on_a}",
                   "-n", str(ranks), program, *args]
        return subprocess.run(
            [self.dir + "/agent", "nodea", shlex.join(command)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=dict(ENV, **env), timeout=LIMIT,
            check=False)

    def close(self):
        for p in self.pids:
            p.kill()
            p.wait()


def need_hosts():
    """Two hosts, or skip the test."""
    for tool in ("unshare", "nsenter", "ip", "tc"):
        if not shutil.which(tool):
            skip("two hosts", tool + " is not installed")
            ended()
    if os.geteuid():
        skip("two hosts", "only root can make namespaces")
        ended()
    try:
        return Hosts()
    except (OSError, subprocess.CalledProcessError) as e:
        skip("two hosts", f"no namespaces here: {e}")
        ended()
    return sys.exit(1)
