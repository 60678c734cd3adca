"""load_librosa.py - librosa: files of recordings to log-mel spectra."""
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import librosa
import numpy

import loader
import loader_audio

TOLERANCE = 0.02  # mean difference of logarithms


def load(path):
    """The samples, as floats, and their rate."""
    return librosa.load(path, sr=None, mono=True)


def spectra(samples, rate, task):
    """Frames within the samples; the same settings as presto's."""
    mel = librosa.feature.melspectrogram(
        y=samples, sr=rate, n_fft=loader_audio.N_FFT,
        hop_length=loader_audio.HOPS[task.variant],
        win_length=loader_audio.WINDOWS[task.variant], center=False, power=1,
        n_mels=loader_audio.BANDS, fmin=loader_audio.LOW,
        fmax=loader_audio.HIGH, htk=True, norm=None)
    return numpy.log(mel + loader_audio.FLOOR)


def check(task):
    """Complains when the first recording gives another result than presto's.

    librosa's window is in the middle of n_fft samples: it wants as many more
    at both ends.
    """
    expected = numpy.load(loader_audio.found(task, "*.npy")[0])
    samples, rate = load(loader_audio.files(task)[0])
    edge = (loader_audio.N_FFT - loader_audio.WINDOWS[task.variant]) // 2
    ours = spectra(numpy.pad(samples, edge), rate, task).T
    if ours.shape != expected.shape:
        sys.exit(f"gives {ours.shape}, expected {expected.shape}")
    off = float(numpy.abs(ours - expected).mean())
    if off > TOLERANCE:
        sys.exit(f"gives other spectra: off by {off:.3f}")
    return off


def make(task):
    """Recordings one after the other, or in threads."""
    paths = [str(path) for path in loader_audio.files(task)]
    amount = loader_audio.seconds(task)
    threads = loader.count(task, "threads")

    def one(path):
        return spectra(*load(path), task).shape

    def epoch(passes):
        if threads == 1:
            for _ in range(passes):
                for path in paths:
                    one(path)
                yield amount
            return
        with ThreadPoolExecutor(threads) as pool:
            for _ in range(passes):
                list(pool.map(one, paths))
                yield amount

    def checked(task, this):
        sum(epoch(1))
        return check(task)

    return loader.Loader(epoch, amount=lambda amount: amount, check=checked)


if __name__ == "__main__":
    loader.main("librosa", version("librosa"), make)
