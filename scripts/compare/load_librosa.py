"""load_librosa.py - librosa: files of recordings to log-mel spectra."""
import sys
import time
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


def rate_of(task, paths):
    """Seconds of sound a second, of one pass."""
    start = time.perf_counter()
    if task.cores == 1:
        for path in paths:
            spectra(*load(path), task)
    else:
        with ThreadPoolExecutor(task.cores) as pool:
            list(pool.map(lambda path: spectra(*load(path), task).shape,
                          paths))
    return loader_audio.seconds(task) / (time.perf_counter() - start)


def main():
    """Does as loader.main does."""
    call = loader.arguments()
    loader.pin(call.cores)
    for task in loader.tasks_of(call):
        if task.form != "audio":
            sys.exit("does audio only")
        paths = [str(path) for path in loader_audio.files(task)]
        off = check(task)
        rate_of(task, paths)  # warm-up
        rates = [rate_of(task, paths) for _ in range(task.epochs)]
        loader.result(task, "librosa", version("librosa"), rates,
                      mean_off=round(off, 4))


if __name__ == "__main__":
    main()
