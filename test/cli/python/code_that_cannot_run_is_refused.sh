# Each mistake is told in words, with the line of the pipeline file.
mkdir arrays
python3 -c '
import numpy as np
for i in range(4):
    np.save(f"arrays/s{i}.npy", np.full((4, 5), i, np.uint8))'
cat >mine.py <<'P'
import os
import numpy as np
import nowhere_to_be_found
P
cat >fine.py <<'P'
import os
import numpy as np


def same(x, top="1"):
    return x


def noisy(x):
    return np.frombuffer(os.urandom(20), np.uint8)


def mixed(x):
    return x.astype(np.float32) if x[0, 0] % 2 else x
P
refused() { # WHAT [OPTION...]
	cat >own.conf <<C
[dataset]
source = folder
path = arrays
match = *.npy
label = none
[pipeline]
own = python $1
C
	shift
	presto show own.conf "$@" >/dev/null 2>log && echo accepted
	echo "status $?: $(sed "s|$PWD|HERE|g" log)"
}
refused fine.py
refused fine:none
refused mine.py:same
refused nothing.py:same
refused fine.py:sane
refused 'fine.py:same tpo=3'
refused fine.py:noisy
refused 'fine.py:noisy gives=uint8:20'
refused fine.py:mixed
refused fine.py:same --set python.interpreter=/no/such/python
refused fine.py:same --set python.interpreter=no-such-python
refused fine.py:same --set python.timeout=never
refused fine.py:same --set python.wrokers=3
refused 'fine.py:same gives=float32:4x5'
