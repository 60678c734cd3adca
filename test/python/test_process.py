"""Signals, threads and processes."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

import data
import presto

LONG = 120  # seconds: a test that waits so long has failed


def python(program, *arguments):
    """Starts a Python that runs a program."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


class Signals(unittest.TestCase):
    """Ctrl-C is heard at once, whatever is waited for."""

    def interrupt(self, program):
        """Interrupts a program that has printed a line."""
        started = python(program, data.folder())
        try:
            self.assertEqual(started.stdout.readline(), "waiting\n")
            time.sleep(0.3)
            started.send_signal(signal.SIGINT)
            error = started.communicate(timeout=LONG)[1]
        finally:
            started.kill()
        self.assertIn("KeyboardInterrupt", error)
        self.assertNotEqual(started.returncode, 0)

    def test_while_a_dataset_is_opened_or_a_batch_is_waited_for(self):
        self.interrupt("""
            import sys, presto
            print("waiting", flush=True)
            slow = {"storage.latency": "1000s"}
            for batch in presto.Loader(sys.argv[1] + "/plain.conf",
                                       settings=slow):
                pass
        """)

    def test_while_a_batch_is_waited_for(self):
        # The names are read at once, and the bytes never.
        self.interrupt("""
            import os, sys, presto
            folder = sys.argv[1] + "/piped"
            os.mkdir(folder)
            with open(folder + "/a.txt", "w") as file:
                file.write("a" * 1000000)
            with open(folder + ".conf", "w") as file:
                file.write("[dataset]\\nsource = folder\\npath = piped\\n"
                           "[pipeline]\\nsame = identity\\n"
                           "[storage]\\nbandwidth = 10B/s\\n")
            loader = presto.Loader(folder + ".conf")
            print("waiting", flush=True)
            next(iter(loader))
        """)

    def test_a_handler_that_returns_does_not_disturb(self):
        heard = []
        before = signal.signal(signal.SIGALRM, lambda *_: heard.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        try:
            loader = presto.Loader(data.folder() / "plain.conf", 7)
            end = time.monotonic() + LONG
            while len(heard) < 5 and time.monotonic() < end:
                self.assertEqual(
                    sum(batch.samples for batch in loader), data.SAMPLES)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertGreaterEqual(len(heard), 5)

    def test_a_handler_may_save_the_state(self):
        loader = presto.Loader(data.folder() / "plain.conf", 2,
                               settings={"storage.latency": "500ms"})
        states = []
        before = signal.signal(
            signal.SIGALRM, lambda *_: states.append(loader.state_dict()))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            next(iter(loader))
            end = time.monotonic() + LONG
            while not states and time.monotonic() < end:
                time.sleep(0.01)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        self.assertEqual([state["epoch"] for state in states], [0])


class Threads(unittest.TestCase):
    """Other Python threads go on; a loader is for one of them."""

    def test_others_run_while_a_batch_is_waited_for(self):
        ticks, stop = [], threading.Event()

        def tick():
            while not stop.wait(0.01):
                ticks.append(time.monotonic())

        loader = presto.Loader(data.folder() / "plain.conf", 2,
                               settings={"storage.latency": "500ms"})
        thread = threading.Thread(target=tick)
        thread.start()
        try:
            begin = time.monotonic()
            next(iter(loader))
            end = time.monotonic()
        finally:
            stop.set()
            thread.join()
        during = [when for when in ticks if begin < when < end]
        self.assertGreaterEqual(len(during), 3)

    def test_two_at_a_time_are_refused(self):
        loader = presto.Loader(data.folder() / "plain.conf", 2,
                               settings={"storage.latency": "500ms"})
        batches, errors = iter(loader), []

        def take():
            try:  # again, where one of them began late
                while not errors and next(batches, None):
                    pass
            except presto.Error as error:
                errors.append(str(error))

        threads = [threading.Thread(target=take) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(errors), 1)
        self.assertIn("another thread", errors[0])


def count(loader):
    """Counts the samples of an epoch, in another process."""
    return sum(batch.samples for batch in loader)


class Processes(unittest.TestCase):
    """A fork has no threads; spawned processes open the dataset again."""

    def test_a_fork_is_told(self):
        loader = presto.Loader(data.folder() / "npy", 8)
        kept = [next(iter(loader))]
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                next(iter(loader))
                text = "no error"
            except presto.Error as error:
                text = str(error)
            kept.clear()
            del loader  # nothing is waited for
            os.write(writing, text.encode())
            os._exit(0)
        os.close(writing)
        with open(reading) as file:
            text = file.read()
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertIn("fork", text)
        self.assertEqual(count(loader), data.SAMPLES)

    def test_a_fork_may_make_its_own(self):
        loader = presto.Loader(data.folder() / "npy", 8)
        self.assertEqual(count(loader), data.SAMPLES)
        child = os.fork()
        if child == 0:
            own = presto.Loader(data.folder() / "npy", 8)
            os._exit(count(own) != data.SAMPLES)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_spawned_processes_open_it_again(self):
        loader = presto.Loader(data.folder() / "npy", 8)
        next(iter(loader))  # they go on behind this batch
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            self.assertEqual(pool.apply(count, (loader,)), data.SAMPLES - 8)

    def test_an_interpreter_ends_while_a_loader_works(self):
        ended = python("""
            import sys, presto
            loader = presto.Loader(sys.argv[1] + "/plain.conf", 1)
            batches = iter(loader)
            kept = next(batches)["data"]
        """, data.folder())
        error = ended.communicate(timeout=LONG)[1]
        self.assertEqual((ended.returncode, error), (0, ""))


if __name__ == "__main__":
    unittest.main()
