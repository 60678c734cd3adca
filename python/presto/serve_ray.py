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

import contextlib
import os
import secrets
import subprocess
import sys
import threading
import typing
from collections.abc import Mapping, Sequence

from presto import command, program
from presto._presto import Error

_PAUSE_S, _PAUSE_MOST_S = 1.0, 30.0  # before a worker is started again


class Worker:
    """Runs `presto serve`; an actor of Ray, or an object of this process.

    The program's warnings, and why it ended, are printed on sys.stderr, which
    Ray shows to the program that made the actor.
    """

    def __init__(
        self, words: Sequence[str], address: str | None, token: str
    ) -> None:
        """Takes options; `address` None: where this node is reached."""
        self._words = list(words)
        self._address = address
        self._environment = {**os.environ, "PRESTO_TOKEN": token}
        self._port = 0
        self._lock = threading.Lock()  # of _process, and of closing
        self._is_closed = threading.Event()
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> str:
        """Starts the program, and returns where it listens.

        Raises ProgramError with the program's own text.
        """
        self._address = self._address or _node_address()
        self._url = self._run()
        threading.Thread(target=self._watch, daemon=True).start()
        return self._url

    def _run(self) -> str:
        process = subprocess.Popen(
            [
                program.path(),
                "serve",
                *self._words,
                *("--listen", str(self._address)),
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
            said = process.communicate()[1].strip().splitlines()
            last = said[-1].removeprefix("presto: ") if said else ""
            raise command.failure(
                command.Done(process.returncode, b"", last)
            )
        self._port = int(url.rpartition(":")[2])
        self._process = process
        threading.Thread(
            target=_pass_on, args=(process.stderr,), daemon=True
        ).start()
        return url

    def _watch(self) -> None:
        """Starts the program again when it has died."""
        pause_s = _PAUSE_S
        while self._process:
            status = self._process.wait()
            if self._is_closed.is_set():
                return
            _tell(f"the worker at {self._url} ended with status {status}")
            while not self._is_closed.wait(pause_s):
                if self._run_again():
                    pause_s = _PAUSE_S
                    break
                pause_s = min(2 * pause_s, _PAUSE_MOST_S)

    def _run_again(self) -> bool:
        """Runs the program again; False: not now, which is told."""
        with self._lock:
            if self._is_closed.is_set():
                return True
            try:
                self._run()
            except (Error, OSError) as error:
                _tell(f"the worker at {self._url} does not start: {error}")
                return False
        _tell(f"the worker at {self._url} is there again")
        return True

    def close(self) -> None:
        """Ends the program in order."""
        self._is_closed.set()
        with self._lock:
            process = self._process
        if not process:
            return
        process.terminate()
        process.wait()
        assert process.stdin and process.stdout
        process.stdin.close()
        process.stdout.close()


def _tell(text: str) -> None:
    print(f"presto: {text}", file=sys.stderr, flush=True)


def _pass_on(stream: typing.IO[str]) -> None:
    """Prints the program's warnings."""
    with stream:
        for line in stream:
            print(line, end="", file=sys.stderr, flush=True)


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
        closing = [actor.close.remote() for actor in actors]
        try:
            for one in closing:
                # An actor that was lost with its node needs no end.
                with contextlib.suppress(ray.exceptions.RayActorError):
                    ray.get(one)
        finally:
            _kill(actors)

    def __enter__(self) -> "Service":
        return self

    def __exit__(self, *ignored: object) -> None:
        self.close()


def _kill(actors: Sequence[typing.Any]) -> None:
    import ray

    for actor in actors:
        ray.kill(actor)


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

    If one worker does not start, all others are ended, and its ProgramError is
    raised.
    """
    import ray

    token = os.environ.setdefault("PRESTO_TOKEN", secrets.token_urlsafe())
    words = [os.fsdecode(path), "--threads", str(max(1, int(cpus)))]
    for key, value in (settings or {}).items():
        words += ["--set", f"{key}={value}"]
    kind = ray.remote(num_cpus=cpus)(Worker)
    actors = [kind.remote(words, address, token) for _ in range(workers)]
    try:
        urls = ray.get([actor.start.remote() for actor in actors])
    except BaseException as error:
        _kill(actors)
        cause = getattr(error, "cause", None)  # of an error in an actor
        if isinstance(cause, Error):
            raise cause from error
        raise
    return Service(actors, urls)
