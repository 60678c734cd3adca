cat >spectra.conf <<'CONF'
[dataset]
source = synthetic
dtype  = int16
shape  = 8000
count  = 12

[pipeline]
stft   = spectrogram window=20ms hop=10ms n_fft=512 rate=16000
mel    = mel bins=40 fmin=125 fmax=3800 rate=16000
logged = log
masked = time_mask max=5
banded = freq_mask max=5

[strategies]
split = all
store = tar, npy
codec = none, shuffle+zstd:1

[measure]
runs = 1
min_run_time = 0
CONF
presto show spectra.conf | sed '1,2d; /^strategies/,$d'
presto profile spectra.conf >/dev/null 2>log
presto report --csv | cut -d, -f4,12,14,30
