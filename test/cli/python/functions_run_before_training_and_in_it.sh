# A function of a file, one of a package and a random one: each split gives the
# same samples by hash, and what is stored is what the functions give.
mkdir arrays mysteps
python3 - <<'P'
import numpy as np
for i in range(12):
    x = np.random.default_rng(i).integers(0, 256, (48, 64, 3), np.uint8)
    np.save(f"arrays/s{i:03}.npy", x)
P
cat >mine.py <<'P'
import numpy as np


def invert(x, top="0"):
    print("noise")
    return np.uint8(int(top)) - x


def noise(x, rng, most):
    return x + rng.integers(0, int(most), x.shape, np.uint8)


def seeded(x):
    return x ^ np.random.randint(0, 255, x.shape).astype(np.uint8)
P
touch mysteps/__init__.py
echo 'from mine import invert' >mysteps/image.py
cat >own.conf <<'C'
[dataset]
source = folder
path = arrays
match = *.npy
label = none
[pipeline]
first = python mine.py:invert top=250
second = python mysteps.image:invert top=255
drawn = python mine.py:noise most=5
again = python mine.py:seeded random=yes
[strategies]
store = tar
codec = none
[load]
cache = system
threads = 1, 2
[measure]
runs = 1
epochs = 2
min_run_time = 0
C
presto show own.conf | grep -E '^ +(first|second|drawn|again) |^splits' | tr -s ' ' | cut -d ' ' -f 2-6
presto profile own.conf --set measure.verify=all >out 2>log || cat log
grep noise log out || echo quiet
presto report --csv | cut -d, -f4,10,12,30 | sort
# Two threads share one process.
presto profile own.conf --split raw --set python.workers=1 --set measure.verify=all \
    --db one.db >/dev/null 2>log || cat log
presto report --csv --db one.db | cut -d, -f4,10,12,30 | tail -n +2 | sort
presto materialize own.conf -s first/files/none -o stored >/dev/null 2>&1
python3 - <<'P'
import glob
import numpy as np
pairs = zip(sorted(glob.glob("arrays/*.npy")), sorted(glob.glob("stored/**/*.npy", recursive=True)))
print(sum((250 - np.load(a) == np.load(b)).all() for a, b in pairs), "are as the function gives them")
P
