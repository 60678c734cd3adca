#!/usr/bin/python3
"""A small object store of S3's kind, for tests: buckets are folders.

usage: s3_server.py FOLDER [--keys KEY:SECRET] [--control FILE] [--log FILE]

It prints its address, and serves FOLDER/BUCKET/KEY until it is ended.  Every
signature is verified, also whether a path and a query are encoded as S3 wants
them.  Faults are injected as the lines of the control file say, "FAULT N": the
fault for every Nth request that it concerns.

  reset      the connection ends in place of an answer
  slow_down  503 with SlowDown, and it is not done
  busy       429 with Retry-After: 0
  short      half of a body, then the connection ends
  lost       the request is done, but its answer is lost
  expired    403 ExpiredToken
  complete   500 in the body of a 200, where an upload is completed
  circle     a list goes on at one of its first three keys, by turns
  no_list    403 AccessDenied, where uploads are listed

"delay MS" waits before each answer.
"""
import argparse
import base64
import binascii
import hashlib
import http.server
import json
import os
import pathlib
import shutil
import socket
import struct
import sys
import threading
import time
import typing
import urllib.parse
import xml.sax.saxutils

import s3_signature

PAGE = 50  # keys of a page of a list, so that a few files have several pages
CHECKED_MOST = 1 << 20  # bytes whose CRC-32C is computed here
MULTIPART_LEAST = 5 << 20

Answer = typing.Tuple[int, typing.Dict[str, str], bytes]


class Refusal(Exception):
    """A request that is refused: status, code and words."""

    def __init__(self, status: int, code: str, words: str = "") -> None:
        super().__init__(code)
        self.status, self.code, self.words = status, code, words or code


def xml_text(text: str) -> str:
    """Make a text a part of XML."""
    return xml.sax.saxutils.escape(text, {'"': "&quot;"})


def xml_body(name: str, inside: str) -> bytes:
    """Make a document of one element."""
    return ('<?xml version="1.0" encoding="UTF-8"?>\n'
            f'<{name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"{inside}</{name}>").encode()


class Store:
    """Objects in a folder, and uploads that have not ended."""

    def __init__(self, root: pathlib.Path) -> None:
        self.root = root
        self.hidden = root / ".store"
        self.lock = threading.RLock()
        self.hidden.mkdir(parents=True, exist_ok=True)

    def bucket(self, name: str) -> pathlib.Path:
        """Find a bucket, which must be there."""
        place = self.root / name
        if name.startswith(".") or not place.is_dir():
            raise Refusal(404, "NoSuchBucket")
        return place

    def path(self, bucket: str, key: str) -> pathlib.Path:
        """Make the path of a key."""
        parts = key.split("/")
        if not all(parts) or ".." in parts or "." in parts:
            raise Refusal(400, "InvalidArgument", "a key of no file")
        return self.bucket(bucket) / key

    def notes_path(self, bucket: str, key: str) -> pathlib.Path:
        """Make the path of what is known of a key beside its bytes."""
        name = hashlib.sha256(f"{bucket}/{key}".encode()).hexdigest()
        return self.hidden / f"{name}.json"

    def notes(self, bucket: str, key: str) -> typing.Dict[str, str]:
        """Read metadata and ETag, if the file is still the one they are of."""
        path, notes = self.path(bucket, key), self.notes_path(bucket, key)
        found: typing.Dict[str, str] = {}
        if notes.exists():
            found = json.loads(notes.read_text())
        stamp = f"{path.stat().st_mtime_ns} {path.stat().st_size}"
        if found.get("stamp") != stamp:
            digest = hashlib.md5(path.read_bytes()).hexdigest()
            found = {"stamp": stamp, "etag": f'"{digest}"'}
            notes.write_text(json.dumps(found))
        return found

    def put(self, bucket: str, key: str, body: bytes,
            notes: typing.Dict[str, str]) -> str:
        """Store an object; returns its ETag."""
        path = self.path(bucket, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.hidden / f"put-{threading.get_ident()}"
        temporary.write_bytes(body)
        temporary.replace(path)
        stamp = f"{path.stat().st_mtime_ns} {path.stat().st_size}"
        etag = notes.get("etag") or f'"{hashlib.md5(body).hexdigest()}"'
        self.notes_path(bucket, key).write_text(
            json.dumps({**notes, "stamp": stamp, "etag": etag}))
        return etag

    def keys(self, bucket: str, prefix: str) -> typing.List[str]:
        """List the keys with a prefix, in their order."""
        place = self.bucket(bucket)
        found = [str(p.relative_to(place)) for p in place.rglob("*")
                 if p.is_file()]
        return sorted((k for k in found if k.startswith(prefix)),
                      key=lambda k: k.encode("utf-8", "surrogateescape"))


class Faults:
    """Which requests fail, by the control file."""

    def __init__(self, control: typing.Optional[str]) -> None:
        self.control = control
        self.counts: typing.Dict[str, int] = {}
        self.lock = threading.Lock()

    def settings(self) -> typing.Dict[str, int]:
        """Read the file anew: tests change it while the server runs."""
        if not self.control or not os.path.exists(self.control):
            return {}
        lines = pathlib.Path(self.control).read_text().splitlines()
        return {line.split()[0]: int(line.split()[1]) for line in lines
                if len(line.split()) == 2}

    def strikes(self, fault: str) -> bool:
        """Is it the turn of this fault?"""
        every = self.settings().get(fault, 0)
        if not every:
            return False
        with self.lock:
            self.counts[fault] = self.counts.get(fault, 0) + 1
            return self.counts[fault] % every == 0


class Handler(http.server.BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else small answers take 40 ms
    store: Store
    faults: Faults
    keys: typing.Dict[str, typing.Tuple[str, str]]  # key: secret, token
    log_file: typing.Optional[str] = None
    issued = 0

    def log_message(self, *args: object) -> None:
        """Print nothing."""

    # ---- the request ----

    def read_request(self) -> None:
        """Take the address and the body apart."""
        raw, _, self.raw_query = self.path.partition("?")
        self.raw_path = raw
        path = urllib.parse.unquote(raw, errors="surrogateescape")
        self.bucket, _, self.key = path[1:].partition("/")
        self.query = dict(urllib.parse.parse_qsl(
            self.raw_query, keep_blank_values=True))
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length) if length else b""

    def check_checksum(self) -> None:
        """Compare the CRC-32C of the body with what the client says."""
        said = self.headers.get("x-amz-checksum-crc32c")
        if said is None or len(self.body) > CHECKED_MOST:
            return
        real = struct.pack(">I", s3_signature.crc32c(self.body))
        if base64.b64decode(said) != real:
            raise Refusal(400, "BadDigest", "the checksum is another one")

    def check_key(self) -> None:
        """Verify the signature, unless the bucket is public."""
        if self.bucket.startswith("public"):
            return
        s3_signature.verify(self, self.keys, Refusal)
        if self.faults.strikes("expired"):
            raise Refusal(403, "ExpiredToken",
                          "The provided token has expired.")
        self.check_checksum()

    # ---- the answer ----

    def send(self, answer: Answer) -> None:
        """Send an answer, or half of it."""
        status, headers, body = answer
        is_head = self.command == "HEAD"
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if "Content-Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if is_head or not body:
            return
        if status < 300 and self.faults.strikes("short"):
            self.wfile.write(body[:len(body) // 2])
            self.hang_up()
        else:
            self.wfile.write(body)

    def hang_up(self) -> None:
        """End the connection by a reset."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                   struct.pack("ii", 1, 0))
        self.connection.close()

    def note(self, what: object) -> None:
        """Write a line of the log."""
        if self.log_file:
            with open(self.log_file, "a", encoding="utf-8") as log:
                log.write(f"{self.command} {self.path} {what}\n")

    def handle_one(self) -> None:
        """Answer one request, with its faults."""
        self.read_request()
        delay = self.faults.settings().get("delay", 0)
        if delay:
            time.sleep(delay / 1000)
        if self.faults.strikes("reset"):
            self.note("reset")
            self.hang_up()
            return
        try:
            if self.faults.strikes("slow_down"):
                raise Refusal(503, "SlowDown", "Please reduce your rate.")
            if self.faults.strikes("busy"):
                raise Refusal(429, "TooManyRequests")
            answer = self.answer()
        except Refusal as refusal:
            words = (f"<Error><Code>{refusal.code}</Code><Message>"
                     f"{xml_text(refusal.words)}</Message></Error>")
            answer = (refusal.status, {"Content-Type": "application/xml"},
                      words.encode())
            if refusal.status == 429:
                answer[1]["Retry-After"] = "0"
        self.note(answer[0])
        if answer[0] < 300 and self.faults.strikes("lost"):
            self.hang_up()
            return
        self.send(answer)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = handle_one

    def answer(self) -> Answer:
        """Do what is asked for."""
        special = s3_signature.credentials_answer(self)
        if special:
            return special
        self.check_key()
        with self.store.lock:
            if not self.key:
                return self.of_bucket()
            if "uploads" in self.query or "uploadId" in self.query:
                return self.of_upload()
            return self.of_object()

    # ---- buckets ----

    def of_bucket(self) -> Answer:
        """List keys or uploads."""
        if self.command != "GET":
            raise Refusal(405, "MethodNotAllowed")
        if "uploads" in self.query:
            return self.list_uploads()
        if self.query.get("list-type") != "2":
            raise Refusal(400, "InvalidArgument", "only version 2 of lists")
        prefix = self.query.get("prefix", "")
        keys = self.store.keys(self.bucket, prefix)
        token = self.query.get("continuation-token")
        after = base64.b64decode(token).decode() if token else ""
        keys = [k for k in keys if k > after] if token else keys
        most = min(PAGE, int(self.query.get("max-keys", PAGE)))
        page, rest = keys[:most], keys[most:]
        inside = (f"<Name>{self.bucket}</Name><EncodingType>url</EncodingType>"
                  f"<KeyCount>{len(page)}</KeyCount>"
                  f"<IsTruncated>{'true' if rest else 'false'}</IsTruncated>")
        if rest:
            last = page[-1]
            if self.faults.strikes("circle"):
                last = self.store.keys(self.bucket, prefix)[
                    self.faults.counts["circle"] % 3]
            inside += ("<NextContinuationToken>"
                       f"{base64.b64encode(last.encode()).decode()}"
                       "</NextContinuationToken>")
        for key in page:
            etag = self.store.notes(self.bucket, key)["etag"]
            size = self.store.path(self.bucket, key).stat().st_size
            inside += (f"<Contents><Key>{urllib.parse.quote_plus(key)}</Key>"
                       f"<ETag>{xml_text(etag)}</ETag><Size>{size}</Size>"
                       "</Contents>")
        return 200, {}, xml_body("ListBucketResult", inside)

    def list_uploads(self) -> Answer:
        """List the uploads below a prefix, two a page."""
        if self.faults.strikes("no_list"):
            raise Refusal(403, "AccessDenied", "Access Denied")
        prefix = self.query.get("prefix", "")
        after = (self.query.get("key-marker", ""),
                 self.query.get("upload-id-marker", ""))
        found = []
        for place in self.store.hidden.glob("upload-*"):
            notes = json.loads((place / "notes").read_text())
            if notes["bucket"] == self.bucket and \
                    notes["key"].startswith(prefix):
                found.append((notes["key"], place.name, notes["began"]))
        found = sorted(f for f in found if f[:2] > after)
        page, rest = found[:2], found[2:]
        inside = f"<IsTruncated>{'true' if rest else 'false'}</IsTruncated>"
        if rest:
            inside += (f"<NextKeyMarker>{xml_text(page[-1][0])}"
                       f"</NextKeyMarker><NextUploadIdMarker>{page[-1][1]}"
                       "</NextUploadIdMarker>")
        for key, upload, began in page:
            inside += (f"<Upload><Key>{xml_text(key)}</Key>"
                       f"<UploadId>{upload}</UploadId>"
                       f"<Initiated>{began}</Initiated></Upload>")
        return 200, {}, xml_body("ListMultipartUploadsResult", inside)

    # ---- objects ----

    def check_condition(self) -> None:
        """Keep to If-None-Match, and to If-Match."""
        is_there = self.store.path(self.bucket, self.key).is_file()
        if self.headers.get("If-None-Match") == "*" and is_there:
            raise Refusal(412, "PreconditionFailed")
        wanted = self.headers.get("If-Match")
        if wanted and not is_there:
            raise Refusal(404, "NoSuchKey")
        if wanted and \
                self.store.notes(self.bucket, self.key)["etag"] != wanted:
            raise Refusal(412, "PreconditionFailed")

    def metadata(self) -> typing.Dict[str, str]:
        """Read the headers that stay with an object."""
        return {name.lower(): value for name, value in self.headers.items()
                if name.lower().startswith("x-amz-meta-")}

    def of_object(self) -> Answer:
        """Read, write or remove an object."""
        path = self.store.path(self.bucket, self.key)
        if self.command == "PUT":
            self.check_condition()
            etag = self.store.put(self.bucket, self.key, self.body,
                                  self.metadata())
            return 200, {"ETag": etag}, b""
        if self.command == "DELETE":
            if path.exists():
                path.unlink()
                self.store.notes_path(self.bucket, self.key).unlink(
                    missing_ok=True)
            return 204, {}, b""
        if not path.is_file():
            raise Refusal(404, "NoSuchKey",
                          "The specified key does not exist.")
        notes = self.store.notes(self.bucket, self.key)
        wanted = self.headers.get("If-Match")
        if wanted and wanted != notes["etag"]:
            raise Refusal(412, "PreconditionFailed")
        headers = {"ETag": notes["etag"], "Accept-Ranges": "bytes",
                   **{n: v for n, v in notes.items() if n.startswith("x-")}}
        body = path.read_bytes()
        if self.command == "HEAD":
            return 200, {**headers, "Content-Length": str(len(body))}, b""
        span = self.headers.get("Range")
        if not span:
            return 200, headers, body
        first, _, last = span.partition("=")[2].partition("-")
        begin, size = int(first), len(body)
        end = min(int(last) if last else size - 1, size - 1)
        if begin >= size:
            return 416, {"Content-Range": f"bytes */{size}"}, b""
        headers["Content-Range"] = f"bytes {begin}-{end}/{size}"
        return 206, headers, body[begin:end + 1]

    # ---- uploads ----

    def of_upload(self) -> Answer:
        """Begin, continue, complete or abort an upload."""
        if "uploads" in self.query:
            return self.begin_upload()
        upload = self.query["uploadId"]
        if not upload:
            raise Refusal(400, "InvalidArgument", "an upload without a name")
        place = self.store.hidden / upload
        if not upload.startswith("upload-") or not place.is_dir():
            raise Refusal(404, "NoSuchUpload")
        if self.command == "PUT":
            number = int(self.query["partNumber"])
            if not 1 <= number <= 10000:
                raise Refusal(400, "InvalidArgument")
            (place / f"{number:05}").write_bytes(self.body)
            digest = hashlib.md5(self.body).hexdigest()
            return 200, {"ETag": f'"{digest}"'}, b""
        if self.command == "DELETE":
            shutil.rmtree(place)
            return 204, {}, b""
        return self.complete_upload(place)

    def begin_upload(self) -> Answer:
        """Give an upload its name."""
        upload = "upload-" + binascii.hexlify(os.urandom(8)).decode()
        place = self.store.hidden / upload
        self.store.bucket(self.bucket)
        place.mkdir()
        began = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        (place / "notes").write_text(json.dumps(
            {"bucket": self.bucket, "key": self.key, "began": began,
             "metadata": self.metadata()}))
        return 200, {}, xml_body("InitiateMultipartUploadResult",
                                 f"<UploadId>{upload}</UploadId>")

    def complete_upload(self, place: pathlib.Path) -> Answer:
        """Make the object of its parts."""
        if self.faults.strikes("complete"):
            return 200, {}, (b"<?xml version='1.0'?>\n<Error><Code>"
                             b"InternalError</Code></Error>")
        self.check_condition()
        said = s3_signature.parts_of(self.body)
        parts = [place / f"{number:05}" for number, _ in said]
        if not parts or not all(p.exists() for p in parts):
            raise Refusal(400, "InvalidPart")
        bodies = [p.read_bytes() for p in parts]
        digests = [hashlib.md5(b).digest() for b in bodies]
        if [f'"{d.hex()}"' for d in digests] != [etag for _, etag in said]:
            raise Refusal(400, "InvalidPart", "an ETag is another one")
        if any(len(b) < MULTIPART_LEAST for b in bodies[:-1]):
            raise Refusal(400, "EntityTooSmall")
        notes = json.loads((place / "notes").read_text())["metadata"]
        whole = hashlib.md5(b"".join(digests)).hexdigest()
        notes["etag"] = f'"{whole}-{len(parts)}"'
        etag = self.store.put(self.bucket, self.key, b"".join(bodies), notes)
        shutil.rmtree(place)
        return 200, {}, xml_body("CompleteMultipartUploadResult",
                                 f"<ETag>{xml_text(etag)}</ETag>")


class Server(http.server.ThreadingHTTPServer):
    """Connections that a client ends early are no errors."""

    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """Print what is a mistake of the server only."""
        if not isinstance(sys.exc_info()[1], (OSError, ValueError)):
            super().handle_error(request, client_address)  # type: ignore


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--keys", default="tester:word-of-the-test")
    parser.add_argument("--control")
    parser.add_argument("--log")
    args = parser.parse_args()
    key, _, secret = args.keys.partition(":")
    Handler.store = Store(args.folder)
    Handler.faults = Faults(args.control)
    Handler.keys = {key: (secret, "")}
    Handler.log_file = args.log
    server = Server(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
