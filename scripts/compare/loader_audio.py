"""loader_audio.py - recordings, for the form "audio".

They are such as presto makes: FLAC as of LibriSpeech, MP3 as of Common Voice.
What its own pipeline makes of them is kept, to compare others with.
"""
import os
import pathlib
import sys

import loader
from loader_presto import presto

COUNTS = {"flac": 150, "mp3": 300}
RATES = {"flac": 16000, "mp3": 48000}
# Those of the PRESTO paper, in samples.
WINDOWS = {"flac": 320, "mp3": 960}
HOPS = {"flac": 160, "mp3": 480}
N_FFT, BANDS, LOW, HIGH, FLOOR = 1024, 80, 125, 3800, 1e-8


def count(task):
    """How many recordings there are."""
    return COUNTS[task.variant]


def folder(task):
    """The folder: sounds/, files, and spectra/, .npy of them; made once."""
    def write(unfinished):
        sounds = f"{unfinished}/sounds"
        os.makedirs(unfinished)
        presto("generate", "speech", "--seed", "1", "--out", sounds,
               "--count", str(count(task)), "--set",
               f"format={task.variant}")
        presto("materialize", f"{sounds}/speech.conf", "--strategy",
               "spectrogram/files/none", "--out", f"{unfinished}/spectra")

    return pathlib.Path(loader.once(task.work / f"audio-{task.variant}",
                                    write))


def found(task, pattern):
    """All files of a pattern, in the order of their names."""
    paths = sorted(folder(task).rglob(pattern), key=lambda path: path.name)
    if len(paths) != count(task):
        sys.exit(f"{len(paths)} of {count(task)} recordings are there")
    return paths


def files(task):
    """The recordings."""
    return found(task, f"*.{task.variant}")


def frames(path):
    """The rows of a .npy file, from its header."""
    header = loader.read(path)[:256].partition(b"'shape': (")[2]
    return int(header.partition(b",")[0])


def seconds(task):
    """Of all recordings: up to the last frame's end."""
    hop, window = HOPS[task.variant], WINDOWS[task.variant]
    samples = sum((frames(path) - 1) * hop + window
                  for path in found(task, "*.npy"))
    return samples / RATES[task.variant]
