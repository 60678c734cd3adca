"""load_presto_audio.py - presto: files of recordings to log-mel spectra."""
import loader_audio
import loader_presto

CONF = """# audio.conf - written by load_presto_audio.py
[dataset]
source = folder
path   = {path}
match  = *.{format}

[pipeline]
decoded = audio_decode dtype=int16 channels=1
stft    = spectrogram window={window} hop={hop} n_fft={n_fft}
mel     = mel bins={bands} fmin={low} fmax={high}
logs    = log floor={floor}

[strategies]
split = unprocessed

[load]
threads = {cores}
cache   = system
batch   = 64

[measure]
samples = {samples}
epochs  = {epochs}
runs    = 1
"""


def run_task(task):
    """Prints the result of a task."""
    count = loader_audio.count(task)
    conf = CONF.format(
        path=loader_audio.folder(task).resolve() / "sounds",
        format=task.variant, window=loader_audio.WINDOWS[task.variant],
        hop=loader_audio.HOPS[task.variant], n_fft=loader_audio.N_FFT,
        bands=loader_audio.BANDS, low=loader_audio.LOW,
        high=loader_audio.HIGH, floor=loader_audio.FLOOR, cores=task.cores,
        samples=count, epochs=task.epochs + 1)
    loader_presto.profile(task, conf, "unprocessed",
                          loader_audio.seconds(task) / count)


if __name__ == "__main__":
    loader_presto.main(run_task)
