"""load_presto_audio.py - presto: files of recordings to log-mel spectra."""
import loader_audio
import loader_presto

PIPELINE = """# audio.conf - written by load_presto_audio.py
[dataset]
source = folder
path   = {path}
match  = *.{format}

[pipeline]
decoded = audio_decode dtype=int16 channels=1
stft    = spectrogram window={window} hop={hop} n_fft={n_fft}
mel     = mel bins={bands} fmin={low} fmax={high}
logs    = log floor={floor}
"""


def pipeline(task):
    """The pipeline of the recordings."""
    return PIPELINE.format(
        path=loader_audio.folder(task).resolve() / "sounds",
        format=task.variant, window=loader_audio.WINDOWS[task.variant],
        hop=loader_audio.HOPS[task.variant], n_fft=loader_audio.N_FFT,
        bands=loader_audio.BANDS, low=loader_audio.LOW,
        high=loader_audio.HIGH, floor=loader_audio.FLOOR)


def answer(task, request):
    """Measures a task."""
    samples = loader_audio.count(task)
    return loader_presto.measure(
        loader_presto.Profile(task, pipeline(task), samples), request,
        loader_audio.seconds(task))


if __name__ == "__main__":
    loader_presto.main(answer)
