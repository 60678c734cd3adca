"""Small datasets that the tests share, in a scratch folder."""

import atexit
import functools
import pathlib
import shutil
import signal
import struct
import subprocess
import tempfile
import zlib

from presto import program

# A job in the background of a script ignores Ctrl-C, and so would the programs
# that the tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

SAMPLES = 60
SIDE, CROP = 8, 6  # pixels of an image, before and after the crop

PIPELINE = """[dataset]
source = folder
path = images
match = *.png
label = directory
[pipeline]
decoded = png_decode
cropped = {} size=6
[strategies]
store = npy, tar, tfrecord
[measure]
probe = no
"""

MOVED = PIPELINE.replace(
    "[strategies]", "centered = center\n[strategies]"
).format("random_crop")

TEXTS = """[dataset]
source = folder
path = texts
match = *.txt
[pipeline]
same = identity
"""


def run(*arguments, cwd=None):
    """Runs the program; returns its output."""
    done = subprocess.run(
        [program.path(), *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise AssertionError(f"presto {arguments}: {done.stderr}")
    return done.stdout


def key(number):
    """Returns the key of an image, whose folder is its class."""
    return f"class{number % 3}/image{number:02}"


def image(number):
    """Returns the bytes of an image: all images and all places differ."""
    return bytes((number * 4 + at) % 256 for at in range(SIDE * SIDE * 3))


def cropped(number):
    """Returns the bytes of the middle of an image."""
    pixels, edge = image(number), (SIDE - CROP) // 2
    rows = (
        pixels[3 * (row * SIDE + edge):][:3 * CROP]
        for row in range(edge, edge + CROP)
    )
    return b"".join(rows)


def chunk(kind, content):
    """Returns a chunk of a PNG file."""
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(
        ">I", check)


def write_image(path, pixels):
    """Writes a PNG file of rows of SIDE pixels."""
    rows = [pixels[at:at + 3 * SIDE] for at in range(0, len(pixels), 3 * SIDE)]
    head = struct.pack(">IIBBBBB", SIDE, len(rows), 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", body)
        + chunk(b"IEND", b"")
    )


@functools.cache
def folder():
    """Makes the datasets once; returns their folder.

    plain.conf, npy, tar   images whose middle is taken, from files and stored
    chance.conf, chance    images whose place of the crop is drawn
    given, moved           floats, cropped last but one, and at the very last
    texts.conf             texts of several lengths
    """
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="presto-python-"))
    atexit.register(shutil.rmtree, scratch)
    for number in range(SAMPLES):
        write_image(
            scratch / "images" / f"{key(number)}.png", image(number)
        )
    (scratch / "texts").mkdir()
    for number in range(10):
        text = scratch / "texts" / f"t{number}.txt"
        text.write_text("x" * (number + 1))
    (scratch / "plain.conf").write_text(PIPELINE.format("center_crop"))
    (scratch / "chance.conf").write_text(PIPELINE.format("random_crop"))
    (scratch / "moved.conf").write_text(MOVED)
    (scratch / "texts.conf").write_text(TEXTS)
    for pipeline, strategy, out in (
        ("plain.conf", "cropped/npy/none", "npy"),
        ("plain.conf", "raw/tar/none", "tar"),
        ("chance.conf", "decoded/tfrecord/none", "chance"),
        ("moved.conf", "decoded/npy/none", "given"),
        ("moved.conf", "o1:centered/tar/none", "moved"),
    ):
        run(
            *("materialize", pipeline, "--strategy", strategy),
            *("--shards", 3, "--out", out),
            cwd=scratch,
        )
    return scratch
