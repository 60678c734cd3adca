"""Workers of `presto serve` as actors of Ray.

    with presto.serve_ray.serve("train.conf", workers=4) as service:
        for batch in presto.Loader(service.url, batch_size=256):
            ...

An actor runs `presto serve` on the node where Ray puts it, and starts it again
at the same port if it dies.  An actor whose node is lost does not come back:
loaders go on with the other workers.

The token of the service is $PRESTO_TOKEN of this process; if there is none, a
random one is made and put there.  Loaders in other processes need it, too.
"""

import os
import secrets
import subprocess
import threading
import typing
from collections.abc import Mapping, Sequence

from presto import program
from presto._presto import Error

_PAUSE_S = 1.0  # before a worker that died is started again


class Worker:
    """Runs `presto serve`; an actor of Ray, or an object of this process."""

    def __init__(
        self, command: Sequence[str], address: str | None, token: str
    ) -> None:
        """Starts the program; `address` None: where this node is reached."""
        self._command = list(command)
        self._address = address or _node_address()
        self._environment = {**os.environ, "PRESTO_TOKEN": token}
        self._port = 0
        self._is_closed = threading.Event()
        self._process = self._start()
        threading.Thread(target=self._watch, daemon=True).start()

    def _start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [
                program.path(),
                "serve",
                *self._command,
                *("--listen", self._address),
                *("--port", str(self._port)),
                "--until-eof",  # it ends with this process
            ],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout and process.stderr
        url = process.stdout.readline().strip()
        if not url:
            raise Error(process.communicate()[1].strip())
        self._port = int(url.rpartition(":")[2])
        self._url = url
        threading.Thread(
            target=_read_all, args=(process.stderr,), daemon=True
        ).start()
        return process

    def _watch(self) -> None:
        """Starts the program again when it has died."""
        while True:
            self._process.wait()
            if self._is_closed.wait(_PAUSE_S):
                return
            try:
                self._process = self._start()
            except (Error, OSError):
                continue  # the port may be free again later

    def url(self) -> str:
        """Returns where the worker listens."""
        return self._url

    def close(self) -> None:
        """Ends the program in order."""
        self._is_closed.set()
        process = self._process
        process.terminate()
        process.wait()
        assert process.stdin and process.stdout
        process.stdin.close()
        process.stdout.close()


def _read_all(stream: typing.IO[str]) -> None:
    """Reads what nobody needs, so that the program never waits."""
    with stream:
        stream.read()


def _node_address() -> str:
    import ray

    return str(ray.util.get_node_ip_address())


class Service:
    """Workers that serve the same dataset; see `serve`."""

    def __init__(self, actors: Sequence[typing.Any], urls: list[str]) -> None:
        """Takes actors that have started."""
        self._actors = list(actors)
        self.url = "presto://" + ",".join(
            url.removeprefix("presto://") for url in urls
        )

    def close(self) -> None:
        """Ends all workers, in order."""
        import ray

        actors, self._actors = self._actors, []
        ray.get([actor.close.remote() for actor in actors])
        for actor in actors:
            ray.kill(actor)

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *ignored: object) -> None:
        self.close()


def serve(
    path: str | os.PathLike[str],
    workers: int = 2,
    *,
    cpus: float = 1,
    address: str | None = None,
    settings: Mapping[str, object] | None = None,
) -> Service:
    """Starts workers on the nodes of Ray, and returns the service.

    path      what `presto serve` takes, where every node finds it
    workers   how many actors
    cpus      processors of an actor, which are its threads, too
    address   where the workers listen; None: the address of their node
    settings  {"SECTION.KEY": value}, as for presto.Loader
    """
    import ray

    token = os.environ.setdefault("PRESTO_TOKEN", secrets.token_urlsafe())
    command = [os.fsdecode(path), "--threads", str(max(1, int(cpus)))]
    for key, value in (settings or {}).items():
        command += ["--set", f"{key}={value}"]
    kind = ray.remote(num_cpus=cpus)(Worker)
    actors = [kind.remote(command, address, token) for _ in range(workers)]
    urls = ray.get([actor.url.remote() for actor in actors])
    return Service(actors, urls)
