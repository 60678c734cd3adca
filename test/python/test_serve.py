"""Loaders whose batches come from `presto serve`."""

import contextlib
import importlib.util
import io
import os
import pickle
import shutil
import signal
import stat
import subprocess
import sys
import types
import unittest
from unittest import mock

import data
import presto
from presto import program, serve_ray


OWN = """[dataset]
source = folder
path = {}/texts
match = *.txt
[pipeline]
upper = command './tool'
"""


def rows(batches):
    """Returns the keys and the bytes of each batch."""
    return [(batch["key"], bytes(memoryview(batch["data"])))
            for batch in batches]


class Worker:
    """A worker that serves one of the datasets at a Unix socket."""

    def __init__(self, where, socket, *options):
        """Starts it, and waits until it says where it listens."""
        self.command = [program.path(), "serve", str(data.folder() / where),
                        "--threads", "1", *options]
        if socket:
            self.command += ["--socket", str(socket)]
        self.start()

    def start(self):
        """Starts it, perhaps anew."""
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def end(self, number=signal.SIGTERM):
        """Sends a signal; returns the exit status."""
        self.process.send_signal(number)
        self.process.communicate()
        return self.process.returncode


class Serving(unittest.TestCase):
    """Workers in other processes."""

    def setUp(self):
        """Makes a folder for sockets."""
        self.folder = data.folder() / f"serve-{self.id().split('.')[-1][:20]}"
        self.folder.mkdir()
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)

    def worker(self, where, name, *options):
        """Starts a worker that ends with the test."""
        worker = Worker(where, self.folder / name if name else None, *options)
        self.stack.callback(self.quit, worker)
        return worker

    def quit(self, worker):
        """Ends a worker unless it has ended."""
        if worker.process.poll() is None:
            worker.end(signal.SIGKILL)

    def test_batches_are_those_of_a_local_loader(self):
        for where in ("npy", "plain.conf", "given"):
            worker = self.worker(where, f"socket-{where}")
            local = presto.Loader(
                data.folder() / where, 8, shuffle=True, seed=3)
            with presto.Loader(worker.url, 8, shuffle=True, seed=3) as far:
                with self.subTest(where):
                    self.assertEqual(far.fields, local.fields)
                    self.assertEqual(far.classes, local.classes)
                    self.assertEqual(far.samples, local.samples)
                    self.assertEqual(len(far), len(local))
                    for _ in range(2):
                        self.assertEqual(rows(far), rows(local))

    def test_ranks_and_resumed_loaders_get_the_same(self):
        worker = self.worker("npy", "socket")
        for rank in range(2):
            options = {"rank": rank, "world_size": 2, "shuffle": True}
            local = presto.Loader(data.folder() / "npy", 4, **options)
            far = presto.Loader(worker.url, 4, **options)
            epoch = iter(local)
            next(epoch), next(epoch)
            far.load_state_dict(local.state_dict())
            with self.subTest(rank=rank):
                self.assertEqual(rows(far), rows(epoch))
                state = {**local.state_dict(), "dataset_version": 0}
                self.assertEqual(far.state_dict(), state)
                again = pickle.loads(pickle.dumps(far))
                self.assertEqual(rows(again), rows(local))

    def test_lent_batches_are_the_programs(self):
        local = rows(presto.Loader(data.folder() / "npy", 4))
        for lend in (0, 2, 32):
            worker = self.worker("npy", f"s{lend}", "--lend", str(lend))
            with self.subTest(lend=lend):
                with presto.Loader(worker.url, 4) as far:
                    kept = list(far)
                    for batch in far:
                        memory = memoryview(batch["data"]).cast("B")
                        memory[:] = bytes(len(memory))
                worker.process.send_signal(signal.SIGTERM)
                said = worker.process.communicate()[1]
                self.assertEqual("which 0 were lent" in said, lend == 0)
                self.assertEqual(rows(kept), local)

    def test_a_fork_has_its_own_batches(self):
        worker = self.worker("npy", "socket", "--lend", "3")
        wanted = rows(presto.Loader(data.folder() / "npy", 4))[0][1]
        far = presto.Loader(worker.url, 4)
        batch = next(iter(far))
        here, there = os.pipe()
        child = os.fork()
        if child == 0:
            memory = memoryview(batch["data"]).cast("B")
            os.read(here, 1)
            same = bytes(memory) == wanted
            memory[:] = bytes(len(memory))
            os._exit(not same)
        memory = memoryview(batch["data"]).cast("B")
        memory[0] ^= 255
        changed = bytes(memory)
        del batch, memory
        for _ in range(5):
            self.assertEqual(rows(far)[0][1], wanted)
        self.assertNotEqual(changed, wanted)
        os.write(there, b"x")
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        os.close(here), os.close(there)
        self.assertEqual(rows(far)[0][1], wanted)

    def test_killed_workers_lose_and_repeat_nothing(self):
        workers = [self.worker("plain.conf", name) for name in "ab"]
        url = f"{workers[0].url},{workers[1].url.removeprefix('presto://')}"
        local = presto.Loader(
            data.folder() / "plain.conf", 4, shuffle=True, seed=1)
        far = presto.Loader(url, 4, shuffle=True, seed=1)
        for kill in range(3):
            found = []
            for number, batch in enumerate(far):
                found += rows([batch])
                if number % 5 == 2:
                    worker = workers[(kill + number) % 2]
                    worker.end(signal.SIGKILL)
                    worker.start()
            with self.subTest(kill=kill):
                self.assertEqual(found, rows(local))

    def test_a_worker_ends_in_order_and_takes_its_socket_away(self):
        worker = self.worker("npy", "socket")
        socket = self.folder / "socket"
        self.assertEqual(stat.S_IMODE(socket.stat().st_mode), 0o600)
        epoch = iter(presto.Loader(worker.url, 4))
        next(epoch)
        self.assertEqual(worker.end(), 0)
        self.assertFalse(socket.exists())

    def test_a_worker_ends_with_the_program_that_started_it(self):
        worker = self.worker("npy", "socket", "--until-eof")
        self.assertEqual(len(list(presto.Loader(worker.url, 60))), 1)
        worker.process.communicate()
        self.assertEqual(worker.process.returncode, 0)

    def test_a_port_needs_a_token(self):
        with mock.patch.dict(os.environ):
            os.environ.pop("PRESTO_TOKEN", None)
            done = subprocess.run(
                [program.path(), "serve", str(data.folder() / "npy"),
                 "--port", "0"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("needs a token", done.stderr)
            os.environ["PRESTO_TOKEN"] = "a word"
            worker = self.worker("npy", None, "--port", "0")
            self.assertEqual(len(list(presto.Loader(worker.url, 60))), 1)
            os.environ["PRESTO_TOKEN"] = "another"
            with self.assertRaisesRegex(presto.UsageError, "another token"):
                presto.Loader(worker.url)

    @unittest.skipUnless(shutil.which("openssl"), "needs openssl")
    def test_tls_is_for_the_host_of_the_certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=presto", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", "key.pem", "-out", "cert.pem"],
            cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        cert, key = self.folder / "cert.pem", self.folder / "key.pem"
        with mock.patch.dict(os.environ, PRESTO_TOKEN="a word"):
            worker = self.worker("plain.conf", None, "--port", "0",
                                 "--cert", str(cert), "--key", str(key))
            if not worker.url:
                self.skipTest("this build lacks libssl")
            self.assertTrue(worker.url.startswith("prestos://127.0.0.1:"))
            with self.assertRaisesRegex(presto.Error, "not trusted"):
                presto.Loader(worker.url)
            with self.assertRaisesRegex(presto.Error, "worker 127.0.0.1"):
                presto.Loader(worker.url.replace("prestos", "presto"))
            os.environ["PRESTO_CA_FILE"] = str(cert)
            far = presto.Loader(worker.url, 8, shuffle=True)
            local = presto.Loader(
                data.folder() / "plain.conf", 8, shuffle=True)
            self.assertEqual(rows(far), rows(local))
            with self.assertRaisesRegex(presto.Error, "not trusted"):
                presto.Loader(worker.url.replace("127.0.0.1", "localhost"))

    def test_a_worker_with_other_code_of_the_users_is_refused(self):
        (self.folder / "own.conf").write_text(OWN.format(data.folder()))

        def write_tool(letters):
            """A file of its own: a process may still begin with the old."""
            new = self.folder / "new-tool"
            new.write_text(f"#!/bin/sh\ntr a-z {letters}\n")
            new.chmod(0o755)
            new.replace(self.folder / "tool")

        write_tool("A-Z")
        worker = self.worker(self.folder / "own.conf", "socket")
        far = presto.Loader(worker.url, 1)
        next(iter(far))
        worker.end(signal.SIGKILL)
        write_tool("B-ZA")
        worker.start()
        with self.assertRaisesRegex(presto.UsageError, "other code"):
            for _ in range(9):
                list(far)

    def test_settings_are_those_of_the_worker(self):
        worker = self.worker("plain.conf", "socket")
        with self.assertRaisesRegex(presto.UsageError, "presto serve"):
            presto.Loader(worker.url, settings={"measure.seed": 1})
        for given in ({"threads": 2}, {"fetchers": 2}):
            with self.assertRaisesRegex(presto.UsageError, "presto serve"):
                presto.Loader(worker.url, **given)

    def test_no_worker_is_an_error_that_names_it(self):
        with self.assertRaisesRegex(presto.Error, "nowhere"):
            presto.Loader(f"presto://{self.folder}/nowhere")


class Remote:
    """A method of an actor of the Ray that stands in below."""

    def __init__(self, call):
        """Calls it at once: the result is the future."""
        self.remote = call


class Actor:
    """An actor that is an object of this process."""

    def __init__(self, kind, arguments):
        """Makes the object."""
        self.made = kind(*arguments)
        self.start = Remote(self.made.start)
        self.close = Remote(self.made.close)


def stand_in():
    """Returns a module with as much of Ray as serve_ray needs."""
    ray = types.ModuleType("ray")
    ray.killed = []
    ray.exceptions = types.SimpleNamespace(RayActorError=ConnectionError)
    ray.remote = lambda num_cpus: lambda kind: types.SimpleNamespace(
        remote=lambda *arguments: Actor(kind, arguments))
    ray.get = lambda future: future
    ray.kill = ray.killed.append
    ray.util = types.SimpleNamespace(get_node_ip_address=lambda: "127.0.0.1")
    return ray


class Actors(unittest.TestCase):
    """Workers as actors of Ray."""

    def check(self):
        """Reads an epoch of two workers."""
        where = data.folder() / "plain.conf"
        with serve_ray.serve(where, 2, address="127.0.0.1") as service:
            with presto.Loader(service.url, 8, shuffle=True) as far:
                local = presto.Loader(where, 8, shuffle=True)
                self.assertEqual(rows(far), rows(local))

    def test_actors_serve_a_loader(self):
        with mock.patch.dict(sys.modules, ray=stand_in()), \
                mock.patch.dict(os.environ):
            os.environ.pop("PRESTO_TOKEN", None)
            self.check()
            self.assertGreater(len(os.environ["PRESTO_TOKEN"]), 20)

    def test_a_worker_that_does_not_start_is_the_programs_error(self):
        ray = stand_in()
        with mock.patch.dict(sys.modules, ray=ray), \
                mock.patch.dict(os.environ):
            with self.assertRaisesRegex(presto.ProgramError, "nowhere.conf"):
                serve_ray.serve(
                    data.folder() / "nowhere.conf", 2, address="127.0.0.1")
        self.assertEqual(len(ray.killed), 2)

    def test_a_lost_actor_does_not_keep_others_from_ending(self):
        ray = stand_in()
        with mock.patch.dict(sys.modules, ray=ray), \
                mock.patch.dict(os.environ):
            service = serve_ray.serve(
                data.folder() / "plain.conf", 2, address="127.0.0.1")
            actors = list(service._actors)
            get = ray.get

            def lost(future):
                ray.get = get
                raise ConnectionError("the node is gone")

            ray.get = lost
            service.close()
        self.assertEqual(ray.killed, actors)
        for actor in actors:
            self.assertIsNotNone(actor.made._process.poll())

    def test_a_worker_that_dies_is_told_and_comes_back(self):
        said = io.StringIO()
        with mock.patch.dict(sys.modules, ray=stand_in()), \
                mock.patch.dict(os.environ), \
                contextlib.redirect_stderr(said), \
                serve_ray.serve(
                    data.folder() / "plain.conf", 1,
                    address="127.0.0.1") as service:
            with presto.Loader(service.url, 8) as far:
                service._actors[0].made._process.kill()
                local = presto.Loader(data.folder() / "plain.conf", 8)
                self.assertEqual(rows(far), rows(local))
        self.assertIn("ended with status -9", said.getvalue())

    @unittest.skipUnless(importlib.util.find_spec("ray"), "needs Ray")
    def test_actors_of_ray_serve_a_loader(self):
        import ray

        with mock.patch.dict(os.environ):
            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
            try:
                self.check()
            finally:
                ray.shutdown()


if __name__ == "__main__":
    unittest.main()
