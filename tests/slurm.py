"""slurm.py - a Slurm cluster of one node for tests, in a directory of its own.

    with Slurm(os.path.abspath("slurm"), cpus=4) as slurm:
        slurm.run("sbatch", "--wrap", "hostname")

munged, slurmctld and slurmd are started as daemons of this test, with state,
keys and sockets in that directory, and are stopped at the end.  Other users
must be able to enter the directory, because munged runs as user munge.  The
test must run as root.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

CONF = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control}
SlurmdPort={port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={top}/munge/socket
CredType=cred/munge
StateSaveLocation={top}/state
SlurmdSpoolDir={top}/spool
SlurmctldPidFile={top}/slurmctld.pid
SlurmdPidFile={top}/slurmd.pid
SlurmctldLogFile={top}/slurmctld.log
SlurmdLogFile={top}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
MpiDefault=none
KillWait=2
MinJobAge=600
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP MaxTime=INFINITE
"""


def missing():
    """Why a cluster cannot be started here, or None."""
    for program in "slurmctld", "slurmd", "munged", "sbatch":
        if not shutil.which(program, path="/usr/sbin:/usr/bin"):
            return f"{program} is not installed (scripts/setup cluster)"
    if os.getuid() != 0:
        return "slurmd can only be started by root"
    return None


def free_ports(n):
    """Ports that nothing listens to."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Slurm:
    def __init__(self, top, cpus):
        self.top, self.daemons = top, []
        control, port = free_ports(2)
        for name in "state", "spool":
            os.makedirs(f"{top}/{name}")
        with open(top + "/slurm.conf", "w") as f:
            f.write(CONF.format(host=socket.gethostname().split(".")[0],
                                top=top, control=control, port=port,
                                cpus=cpus))
        self.env = dict(os.environ, SLURM_CONF=top + "/slurm.conf")

    def __enter__(self):
        try:
            self._munge()
            self._daemon("/usr/sbin/slurmctld", "-D", "-i")
            self._daemon("/usr/sbin/slurmd", "-D", "-c")
            self.wait(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T"),
                      "the node becomes idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """Cancel all jobs, then stop the daemons, the last one first."""
        subprocess.run(["scancel", "--signal=KILL", "--full", "-u", "root"],
                       env=self.env, stderr=subprocess.DEVNULL, timeout=60)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(daemon.pid, signal.SIGKILL)
                daemon.wait()

    def _daemon(self, *command, user=()):
        """Start a daemon that gets SIGTERM when this process ends."""
        with open(f"{self.top}/{os.path.basename(command[0])}.out", "w") as f:
            self.daemons.append(subprocess.Popen(
                ["setpriv", *user, "--pdeathsig", "TERM", *command],
                env=self.env, stdin=subprocess.DEVNULL, stdout=f, stderr=f,
                start_new_session=True))

    def _munge(self):
        """Start munged, which must be able to reach its directory."""
        user = pwd.getpwnam("munge")
        where = f"{self.top}/munge"
        os.mkdir(where, 0o755)
        with open(where + "/key", "wb") as f:
            os.fchmod(f.fileno(), 0o400)
            f.write(os.urandom(128))
        for path in where, where + "/key":
            os.chown(path, user.pw_uid, user.pw_gid)
        self._daemon(
            "/usr/sbin/munged", "--foreground", "--force",
            f"--key-file={where}/key", f"--socket={where}/socket",
            f"--pid-file={where}/pid", f"--log-file={where}/log",
            f"--seed-file={where}/seed", "--num-threads=2",
            user=("--reuid", str(user.pw_uid), "--regid", str(user.pw_gid),
                  "--clear-groups"))
        self.wait(lambda: os.path.exists(where + "/socket"), "munged starts")

    def run(self, *command):
        """The output of a command, errors included."""
        done = subprocess.run(command, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=60)
        return done.stdout.decode() + done.stderr.decode()

    def wait(self, true, what, seconds=60):
        """Wait until true(); raise an exception with the logs otherwise."""
        due = time.monotonic() + seconds
        while not true():
            if time.monotonic() > due:
                raise TimeoutError(f"not within {seconds} s: {what}\n" +
                                   self.logs())
            time.sleep(0.1)

    def logs(self):
        """The last lines of each log."""
        out = ""
        for name in sorted(os.listdir(self.top)):
            if name.endswith((".log", ".out")):
                with open(f"{self.top}/{name}", errors="replace") as f:
                    out += f"== {name}\n" + "".join(f.readlines()[-15:])
        return out
