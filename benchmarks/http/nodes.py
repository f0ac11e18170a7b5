"""Nodes of our own, the load on them, and what they cost. Used by `rows`.

Everything is on the loopback, bounded in time, and removed at the end.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
KVANT = str(ROOT / "kvant")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Trouble(Exception):
    """One line for a person."""


def on_cores(cores, command):
    return ["taskset", "-c", cores, *command] if cores else command


def cpu_seconds(pid):
    """User and system time so far (fields 14 and 15; the name, field 2, may hold spaces)."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_SECOND


class Node:
    """A serving node; its process is the JVM itself, because the launcher becomes it."""

    def __init__(self, folder, name, executor, options=(), data=None, prefix=(), durability="always"):
        self.data = data or folder / f"{name}.data"
        self.start(folder, name, [
            *prefix, KVANT, "serve", "--port", "0", "--data", str(self.data),
            "--durability", durability, "--executor", executor, *options,
        ])

    def start(self, folder, name, command, errors=None):
        self.name = name
        out = folder / f"{name}.out"
        with open(out, "w") as stdout:
            self.process = subprocess.Popen(command, stdout=stdout, stderr=errors, start_new_session=True)
        while "listening on " not in (said := out.read_text()):
            if self.process.poll() is not None:
                raise Trouble(f"the node did not start: {' '.join(command)}")
            time.sleep(0.05)
        self.url = said.split("listening on ")[1].split()[0]

    def cpu_seconds(self):
        return cpu_seconds(self.process.pid)

    def disk_bytes(self):
        """What had to be read from the disk so far, pages of mapped files among it."""
        lines = pathlib.Path(f"/proc/{self.process.pid}/io").read_text().splitlines()
        return int(dict(line.split(": ") for line in lines)["read_bytes"])

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


@contextlib.contextmanager
def laboratory():
    """A folder for nodes, and a list for those that must end when it is left."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kvant-rows-"))
    nodes = []
    try:
        yield folder, nodes
    finally:
        for node in nodes:
            node.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Load:
    """One run of `./kvant load` in the background; `result` waits for it."""

    def __init__(self, folder, node, options, cores=None):
        handle, path = tempfile.mkstemp(suffix=".json", dir=folder)
        os.close(handle)
        self.path = pathlib.Path(path)
        command = [KVANT, "load", *map(str, options), "--json", path, node.url]
        self.process = subprocess.Popen(
            on_cores(cores, command), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True)

    def result(self):
        said, _ = self.process.communicate()  # exit code 1 says "invalid" too, which is a finding
        text = self.path.read_text()
        self.path.unlink()
        if not text:
            raise Trouble(f"load did not measure: {said.strip()}")
        return Result(json.loads(text))


def load(folder, node, *options, cores=None):
    """Loads a node, and returns what happened, with the CPU time that the node took."""
    before = node.cpu_seconds()
    result = Load(folder, node, options, cores).result()
    asked = result.json["generator"]["requestsWithWarmup"]
    result.cpu_micros = (node.cpu_seconds() - before) * 1e6 / max(1, asked)
    return result


class Result:
    """What `./kvant load` wrote: docs/load.md."""

    def __init__(self, found):
        self.json = found
        self.cpu_micros = float("nan")
        self.seconds = max(found["elapsedNanos"], found["pace"]["durationNanos"]) / 1e9
        self.requests = found["requests"]
        self.failed = found["requests"]["failed"]

    def count(self, latency):
        return self.json["latency"].get(latency, {}).get("count", 0)

    def millis(self, latency, percentile):
        """A percentile, or `max`, in milliseconds; not a number where nothing was counted."""
        found = self.json["latency"].get(latency, {})
        if not found.get("count"):
            return float("nan")
        nanos = found["maxNanos"] if percentile == "max" else found["percentilesNanos"][percentile]
        return nanos / 1e6

    @property
    def goodput(self):
        """Answers a second that are what was asked for."""
        return self.count("acceptedResponse") / self.seconds

    @property
    def refused(self):
        return self.json["statuses"].get("503", 0)

    @property
    def broken(self):
        """Connections closed or reset under a request, timeouts, garbage: what must not be."""
        return sum(self.failed[kind] for kind in ("closed", "reset", "timeout", "garbage"))

    @property
    def late(self):
        """Never sent, because no connection was free, or still without an answer at the end."""
        return self.requests["unsent"] + self.failed["unanswered"]

    @property
    def other(self):
        """Answers that are neither a success nor a 503."""
        return self.requests["unexpectedStatus"] - self.refused + self.requests["wrongBodies"]

    @property
    def generator(self):
        busy = self.json["generator"]["busiestThread"]
        return f"{self.json['validity']}, {busy * 100:.0f} % busy"


@contextlib.contextmanager
def limits(mib, reads=0, folder="."):
    """Makes a control group with that much memory, page cache included, and so many reads a second from the disk of the
    folder (0: as many as it gives); yields what a command is started with."""
    root, name = pathlib.Path("/sys/fs/cgroup"), f"kvant-rows-{os.getpid()}"
    device = os.stat(folder).st_dev
    disk = f"{os.major(device)}:{os.minor(device)}"
    if (root / "cgroup.controllers").exists():  # version 2: one tree
        wanted = {root: [("memory.max", mib << 20)] + ([("io.max", f"{disk} riops={reads}")] if reads else [])}
    else:
        wanted = {root / "memory": [("memory.limit_in_bytes", mib << 20)]}
        if reads:
            wanted[root / "blkio"] = [("blkio.throttle.read_iops_device", f"{disk} {reads}")]
    made = []
    try:
        try:
            for parent, settings in wanted.items():
                group = parent / name
                group.mkdir()
                made.append(group)
                for file, value in settings:
                    (group / file).write_text(str(value))
        except OSError as e:
            raise Trouble(
                f"not run: no control group can be made here, which takes root ({e}); or give NODE_PREFIX, such as"
                " 'systemd-run --user --scope -p MemoryMax=700M'") from e
        join = " && ".join(f"echo $$ >{group}/cgroup.procs" for group in made)
        yield ["sh", "-c", f'{join} && exec "$@"', "sh"]
    finally:
        for group in made:
            group.rmdir()


def forget_pages(folder):
    """Drops the clean pages of all files from the page cache."""
    os.sync()
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_file():
            file = os.open(path, os.O_RDONLY)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)
