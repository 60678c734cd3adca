# An exception, a process that ends and one that hangs are errors of a sample:
# the others are delivered.
mkdir arrays
python3 - <<'P'
import numpy as np
for i in range(12):
    np.save(f"arrays/s{i:03}.npy", np.full((4, 5), i, np.uint8))
P
cat >mine.py <<'P'
import os, time


def raises(x):
    return x.no_sevens_please if x[0, 0] == 7 else x


def dies(x):
    return os._exit(9) if x[0, 0] == 7 else x


def hangs(x):
    return time.sleep(100) if x[0, 0] == 7 else x
P
write_conf() { # STEP
	cat >own.conf <<C
[dataset]
source = folder
path = arrays
match = *.npy
label = none
[pipeline]
own = python mine.py:$1
[strategies]
split = own
store = tar
codec = none
[load]
cache = none
[measure]
runs = 1
min_run_time = 0
C
}
for step in raises dies; do
	write_conf $step
	presto profile own.conf --db fail.db >/dev/null 2>log && exit 9
	echo "$step: status $?"
	grep -o 's007.*' log | sed 's/ *$//'
	presto profile own.conf --db "skip.db" --set dataset.on_error=skip >/dev/null 2>log || cat log
	presto report --csv --db skip.db | cut -d, -f4,12,14 | tail -n +2 | sort
	rm -f ./*.db
done
write_conf 'hangs timeout=3s gives=uint8:4x5'
presto materialize own.conf -s own/tar/none -o hangs >/dev/null 2>log && exit 9
echo "hangs: status $?"
grep -o 's007.*' log | sed 's/ *$//'
presto materialize own.conf -s own/tar/none -o others --set dataset.on_error=skip --skipped skipped.txt >/dev/null 2>&1
cut -f 1 skipped.txt
# Many of them, in both loader threads.
cat >mine.py <<'P'
import os


def dies(x):
    return os._exit(9) if x[0, 0] % 2 else x
P
sed -i 's/^own = .*/own = python mine.py:dies/' own.conf
presto materialize own.conf -s own/tar/none -o stored --set dataset.on_error=skip --skipped skipped.txt >/dev/null 2>&1
cut -f 1 skipped.txt | sort
# A function may change its input: where it failed among several samples, those
# before are not made a second time.
cat >mine.py <<'P'
import os


def dies(x):
    if x[0] == 77:
        os._exit(9)
    x += 100
    return x
P
python3 -c '
import numpy as np
np.save("rows.npy", np.arange(240, dtype=np.uint8)[:, None].repeat(20, axis=1))'
cat >rows.conf <<'C'
[dataset]
source = npy
path = rows.npy
on_error = skip
[pipeline]
own = python mine.py:dies
[strategies]
split = raw
[load]
cache = system
threads = 1
[measure]
runs = 1
min_run_time = 0
verify = all
C
presto profile rows.conf --db rows.db >/dev/null 2>&1
presto report --csv --db rows.db | cut -d, -f4,12,14,30 | tail -n +2 | sort
