# With batch, a function gets up to so many samples in one array: each sample is
# what it is by itself, and one that fails is named.
cat >mine.py <<'P'
import numpy as np


def halve(x):
    assert x.ndim == 4, x.shape
    return x[:, ::2, ::2]


def noise(x, rng):
    return x + np.stack([r.integers(0, 9, x.shape[1:], np.uint8) for r in rng])


def fails(x):
    if (x[:, 0, 0, 0] == 7).any():
        raise ValueError("no sevens")
    return x


def centred(x):
    return x - x.mean(axis=0)


def one(x):
    return x.sum(axis=0, keepdims=True)
P
python3 - <<'P'
import numpy as np
x = np.random.default_rng(1).integers(0, 256, (50, 8, 6, 3), np.uint8)
x[:, 0, 0, 0] = np.arange(50)
np.save("rows.npy", x)
P
write_conf() { # STEP...
	cat >rows.conf <<C
[dataset]
source = npy
path = rows.npy
[pipeline]
$*
[strategies]
store = tar
codec = none
[load]
cache = system
threads = 1, 2
[measure]
runs = 1
min_run_time = 0
verify = all
C
}
write_conf "half = python mine.py:halve batch=8
drawn = python mine.py:noise batch=64"
presto profile rows.conf --db both.db >/dev/null 2>log || cat log
presto report --csv --db both.db | cut -d, -f4,10,12,30 | tail -n +2 | sort
presto materialize rows.conf -s half/npy/none -o halves >/dev/null 2>log || cat log
python3 - <<'P'
import glob
import numpy as np
a = np.load("rows.npy")[:, ::2, ::2]
b = np.concatenate([np.load(f) for f in sorted(glob.glob("halves/shard-*.npy"))])
print((a == b[np.argsort(b[:, 0, 0, 0])]).all(), "as the function gives them")
P
write_conf "own = python mine.py:fails batch=16"
presto profile rows.conf --db fail.db >/dev/null 2>log && exit 9
grep -o 'step python.*' log | sed 's/ *$//' | head -1
presto profile rows.conf --db skip.db --set dataset.on_error=skip >/dev/null 2>log || cat log
presto report --csv --db skip.db | cut -d, -f4,12,14 | tail -n +2 | sort -u
for step in centred one; do
	write_conf "own = python mine.py:$step batch=4"
	presto show rows.conf 2>&1 | grep -o 'step python.*' | sed 's/ *$//'
done
# Samples of unequal shapes make no array.
mkdir arrays
python3 -c '
import numpy as np
for i in range(4):
    np.save(f"arrays/{i}.npy", np.zeros((4 + i, 5), np.uint8))'
sed -i 's/source = npy/source = folder/; s/rows.npy/arrays\nmatch = *.npy\nlabel = none/; s/^own.*/own = python mine.py:halve batch=4/' rows.conf
presto show rows.conf 2>&1 | grep -o 'step python.*' | sed 's/ *$//'
