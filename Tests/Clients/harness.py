"""A private daemon and gateway for the tests of clients, as they were built.

PLACES_PROGRAMS names the folder of the programs, PLACES_INDEX an index of places that has Berlin, Paris and Munich.
"""
import contextlib
import errno
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = os.environ["PLACES_PROGRAMS"]
INDEX = os.environ["PLACES_INDEX"]


def eventually(what, look, seconds=20.0):
    """The first value of `look` that is true; looks every few milliseconds."""
    end = time.monotonic() + seconds
    while True:
        value = look()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {seconds} s")
        time.sleep(0.005)


def free_port():
    """A port that is free for IPv4 and IPv6, below those that the kernel gives to other tests' connections."""
    for port in random.sample(range(20_000, 32_000), 100):
        try:
            for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
                with socket.socket(family) as probe:
                    probe.bind((address, port))
            return port
        except OSError as error:
            if error.errno in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                return port  # a machine without IPv6
    raise RuntimeError("no free port")


class Home:
    """A folder with all that a daemon and a gateway have."""

    def __init__(self, daemon="", providers=""):
        self.folder = tempfile.mkdtemp(prefix="places-clients-")
        self.socket = f"{self.folder}/s"
        self.processes = []
        os.mkdir(f"{self.folder}/state", 0o700)
        os.symlink(INDEX, f"{self.folder}/state/gazetteer.db")
        self.write(
            "placesd.toml",
            f'[daemon]\nsocket = "{self.socket}"\nstate_dir = "{self.folder}/state"\ncache_dir = "{self.folder}/cache"\n'
            f"log_level = \"debug\"\n{daemon}\n{providers}\n",
        )

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def read(self, name):
        with open(f"{self.folder}/{name}", encoding="utf-8") as file:
            return file.read()

    def start(self, program, *arguments, log, before=None, **environment):
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(("PLACES_", "XDG_", "LISTEN_", "NOTIFY_"))}
        inherited |= {"HOME": self.folder, "SWIFT_BACKTRACE": "enable=no", "PLACES_SOCKET": self.socket, **environment}
        with open(f"{self.folder}/{log}", "ab") as output:
            process = subprocess.Popen(
                [f"{PROGRAMS}/{program}", *arguments], env=inherited, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                preexec_fn=before, close_fds=before is None)
        self.processes.append(process)
        return process

    def start_daemon(self):
        process = self.start("placesd", "--config", f"{self.folder}/placesd.toml", log="daemon.log")

        def connects():
            assert process.poll() is None, self.read("daemon.log")
            with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
                probe.connect(self.socket)
                return True

        eventually("the daemon's start", connects)
        return process

    def start_gateway(self, settings=""):
        """Returns the process and its port."""
        port = free_port()
        path = self.write(f"gateway-{port}.toml", f'listen = ["127.0.0.1:{port}"]\n{settings}\n')
        process = self.start("places-gateway", "--config", path, log="gateway.log")

        def listens():
            assert process.poll() is None, self.read("gateway.log")
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return True

        eventually("the gateway's start", listens)
        return process, port

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
