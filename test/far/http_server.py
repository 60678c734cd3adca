#!/usr/bin/env python3
"""Serves a folder over HTTP while a command runs, and fails as it is told.

usage: http_server.py [OPTION]... FOLDER COMMAND [ARGUMENT]...

The command gets the address as $URL, and its exit status is that of this
program.  --fault KIND=N makes every N-th request for an object fail in one
way; --rate R makes a random part R of them fail in a kind of --kinds.

reset     the connection is reset after the headers
cut       the connection ends in the middle of the body
drop      the connection ends without an answer
hang      nothing is answered until the client gives up
s429      status 429, with "Retry-After: 1" for each second time
s500      status 500; likewise s502, s503, s504
longer    a range has more bytes than were asked for
shifted   Content-Range tells of other bytes than were asked for
vague     a range comes without Content-Range
whole     the whole object comes in place of a range
gzip      the body comes packed
changed   the object has another ETag and other bytes
garbage   the answer is no HTTP
"""
import argparse
import gzip
import hashlib
import http.server
import os
import pathlib
import random
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

STATUSES = {"s429": 429, "s500": 500, "s502": 502, "s503": 503, "s504": 504}
KINDS = ["reset", "cut", "drop", "longer", "shifted", "vague", "whole",
         *STATUSES]


class Plan:
    """Which request fails, and how."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Takes the faults from the command line."""
        self.every = [(kind, int(count)) for kind, _, count in
                      (fault.partition("=") for fault in options.fault)]
        self.rate = options.rate
        self.kinds = options.kinds.split(",")
        self.random = random.Random(options.seed)
        self.lock = threading.Lock()
        self.seen = 0

    def next(self) -> tuple[str, int]:
        """Returns the fault of the next request, or "", and its number."""
        with self.lock:
            self.seen += 1
            for kind, count in self.every:
                if self.seen % count == 0:
                    return kind, self.seen
            if self.rate and self.random.random() < self.rate:
                return self.random.choice(self.kinds), self.seen
            return "", self.seen


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers GET and HEAD, with ranges."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    options: argparse.Namespace
    plan: Plan
    log_lock = threading.Lock()

    def log_message(self, *_: object) -> None:
        """Says nothing on the terminal."""

    def note(self, status: int, fault: str) -> None:
        """Writes a line for the request."""
        if self.options.log:
            span = self.headers.get("Range", "-")
            with self.log_lock, open(self.options.log, "a",
                                     encoding="utf-8") as log:
                log.write(f"{self.command} {self.path} {span} {status} "
                          f"{fault or '-'}\n")

    def reset(self) -> None:
        """Ends the connection with RST."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def status_only(self, status: int, **headers: str) -> None:
        """Answers with a status and no object."""
        body = f"status {status}\n".encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def find(self) -> bytes | None:
        """Reads the object; None: there is none."""
        path = self.path.split("?")[0].lstrip("/")
        if path.startswith("moved/"):
            return None
        file = pathlib.Path(self.options.folder) / path
        return file.read_bytes() if file.is_file() else None

    def fail_at_once(self, fault: str, number: int) -> bool:
        """Fails without a look at the object; False: that is not the fault."""
        if fault in STATUSES:
            asks = fault == "s429" and number % 2
            self.status_only(STATUSES[fault],
                             **({"Retry_After": "1"} if asks else {}))
        elif fault == "drop":
            self.close_connection = True
            self.connection.close()
        elif fault == "hang":
            time.sleep(self.options.hang)
            self.close_connection = True
        elif fault == "garbage":
            self.wfile.write(b"this is no answer\r\n\r\n")
            self.close_connection = True
        else:
            return False
        return True

    def range_of(self, size: int) -> tuple[int, int] | None:
        """Returns the range that was asked for; None: the whole object."""
        text = self.headers.get("Range")
        if not text or self.options.no_ranges:
            return None
        first, _, last = text.partition("=")[2].partition("-")
        if not first:
            return max(0, size - int(last)), size - 1
        return int(first), min(int(last) if last else size - 1, size - 1)

    def send_object(self, data: bytes, etag: str, fault: str) -> None:
        """Answers with the object, or a range of it."""
        span = None if fault == "whole" else self.range_of(len(data))
        status, body = 200, data
        if span and span[0] >= len(data):
            self.note(416, fault)
            self.status_only(416, Content_Range=f"bytes */{len(data)}")
            return
        if span:
            status, body = 206, data[span[0]:span[1] + 1]
        if fault == "longer":
            body += b"more"
        if fault == "gzip":
            body = gzip.compress(body)
        self.send_response(status)
        if span and fault != "vague":
            shift = 7 if fault == "shifted" else 0
            self.send_header(
                "Content-Range", f"bytes {span[0] + shift}-{span[1] + shift}"
                f"/{len(data) + shift}")
        if self.options.etag != "none":
            weak = "W/" if self.options.etag == "weak" else ""
            self.send_header("ETag", f'{weak}"{etag}"')
        if fault == "gzip":
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.note(status, fault)
        if self.command == "HEAD":
            return
        if fault == "reset":
            self.reset()
        elif fault == "cut":
            self.wfile.write(body[:len(body) // 2])
            self.close_connection = True
        else:
            self.wfile.write(body)

    def do_GET(self) -> None:
        """Answers a request, as far as the plan lets it."""
        if self.options.delay:
            time.sleep(self.options.delay / 1000)
        if self.path.startswith("/moved/"):
            self.note(302, "")
            self.status_only(302, Location=self.path[len("/moved"):])
            return
        if self.path.startswith("/elsewhere/"):
            self.note(302, "")
            self.status_only(302, Location="file:///etc/hostname")
            return
        data = self.find()
        if data is None:
            self.note(self.options.missing, "")
            self.status_only(self.options.missing)
            return
        fault, number = self.plan.next()
        if self.fail_at_once(fault, number):
            self.note(STATUSES.get(fault, 0), fault)
            return
        if fault == "changed":
            data = data[::-1]
        etag = hashlib.sha256(data).hexdigest()[:16]
        match = self.headers.get("If-Match")
        if match and match != f'"{etag}"':
            self.note(412, fault)
            self.status_only(412)
            return
        self.send_object(data, etag, fault)

    do_HEAD = do_GET


class Server(http.server.ThreadingHTTPServer):
    """A thread for each connection; clients that leave are no news."""

    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_: object) -> None:
        """Says nothing of connections that ended."""


def read_options() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fault", action="append", default=[],
                        metavar="KIND=N")
    parser.add_argument("--rate", type=float, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--delay", type=float, default=0,
                        help="milliseconds before each answer")
    parser.add_argument("--hang", type=float, default=600,
                        help="seconds of the fault of that name")
    parser.add_argument("--etag", choices=["strong", "weak", "none"],
                        default="strong")
    parser.add_argument("--no-ranges", action="store_true")
    parser.add_argument("--missing", type=int, default=404,
                        help="status of what is not there; S3 says 403 to "
                        "those who may not list")
    parser.add_argument("--tls", nargs=2, metavar=("CERTIFICATE", "KEY"))
    parser.add_argument("--log", help="file for a line about each request")
    parser.add_argument("folder")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def main() -> int:
    """Runs the command while the folder is served."""
    Handler.options = read_options()
    Handler.plan = Plan(Handler.options)
    server = Server(("127.0.0.1", 0), Handler)
    scheme, host = "http", "127.0.0.1"
    if Handler.options.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*Handler.options.tls)
        server.socket = context.wrap_socket(server.socket,
                                            server_side=True)
        scheme, host = "https", "localhost"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"{scheme}://{host}:{server.server_address[1]}"
    done = subprocess.run(Handler.options.command, check=False,
                          env={**os.environ, "URL": url})
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


if __name__ == "__main__":
    sys.exit(main())
