"""A cluster of three nodes on this machine, a gateway of Kvant before it, and a bare client beside that. Used by the
programs of this folder.

Everything is on the loopback, bounded in time, and removed at the end.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "http"))

from nodes import KVANT, ROOT, Node, Trouble, cpu_seconds, load  # noqa: E402,F401

NODES = 3
POINTS = ",".join(f"127.0.0.{i}:9042" for i in range(1, NODES + 1))


def say(text):
    print(text, file=sys.stderr, flush=True)


class Cluster:
    """Cassandra servers, each a process of its own; `kvant cluster` starts and ends them."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, *words, check=True):
        done = subprocess.run([KVANT, "cluster", *map(str, words), "--dir", str(self.folder)],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if check and done.returncode:
            raise Trouble(f"kvant cluster {' '.join(map(str, words))}: {done.stdout.strip()}")
        return done.stdout

    def up(self):
        self.run("up", "--nodes", NODES, "--wait", 240)

    def end(self):
        """Without fail: as servers that nobody ends stay for ever."""
        pids = [self.pid(number) for number in range(1, NODES + 1) if (self.folder / f"node{number}" / "pid").exists()]
        self.run("down", "--delete", check=False)
        if self.folder.exists():
            for pid in pids:
                with contextlib.suppress(OSError):
                    if str(self.folder) in pathlib.Path(f"/proc/{pid}/cmdline").read_text():
                        os.kill(pid, signal.SIGKILL)

    def pid(self, number):
        return int((self.folder / f"node{number}" / "pid").read_text().split()[0])

    def cpu_seconds(self):
        return sum(cpu_seconds(self.pid(number)) for number in range(1, NODES + 1))

    def disk_bytes(self, keyspace, table):
        """Of the table's files on all nodes."""
        files = self.folder.glob(f"node*/data/{keyspace}/{table}-*/*")
        total = 0
        for file in files:
            with contextlib.suppress(OSError):  # a compaction has just deleted it
                total += file.stat().st_size if file.is_file() else 0
        return total

    def tables(self, keyspace, table):
        return len(list(self.folder.glob(f"node*/data/{keyspace}/{table}-*/*-Data.db")))


class Gateway(Node):
    """A node of Kvant that holds nothing."""

    def __init__(self, folder, name="gateway", options=()):
        with open(folder / f"{name}.err", "w") as errors:  # where the driver says that a node is down
            self.start(folder, name, [
                KVANT, "serve", "--port", "0", "--engine", "cassandra", "--cassandra.contact-points", POINTS, *options],
                errors)


class Client:
    """The bare driver in a process that stays warm and is told by lines what to do."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [KVANT, "bench", "driver", "--contact-points", POINTS, *map(str, options)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
            env={**os.environ, "KVANT_JAVA_OPTS": "-Xmx512m"})  # as a node has
        self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise Trouble("the bare client ended: run ./kvant bench driver --help to see that it builds")
        return json.loads(line)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def cpu_seconds(self):
        return cpu_seconds(self.process.pid)

    def stop(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


@contextlib.contextmanager
def laboratory():
    """Yields a folder, a running cluster, and a list for what must stop before it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kvant-cluster-"))
    cluster, started = Cluster(folder / "cluster"), []
    try:
        say("starting three nodes of Cassandra")
        cluster.up()
        yield folder, cluster, started
    finally:
        for one in reversed(started):
            one.stop()
        cluster.end()
        shutil.rmtree(folder, ignore_errors=True)


def origin(command):
    """Where figures come from, as lines of Markdown and as a dictionary."""
    def said(*words):
        return subprocess.run(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()

    changed = " (changed)" if said("git", "status", "--porcelain", "--untracked-files=no") else ""
    model = next((line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), "unknown")
    found = {
        "command": command,
        "commit": said("git", "rev-parse", "--short", "HEAD") + changed,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "machine": f"{os.cpu_count()} cores of {model}, "
                   f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') >> 30} GiB, Linux {os.uname().release.split('-')[0]}",
        "versions": f"{said(KVANT, 'version')}; Cassandra 5.0, three nodes of 512 MB heap, replication 3",
        "load average before": pathlib.Path("/proc/loadavg").read_text().rsplit(" ", 2)[0],
    }
    return found


def print_origin(found):
    for name, value in found.items():
        print(f"- {name.capitalize()}: {'`' + value + '`' if name == 'command' else value}")
    print(flush=True)
