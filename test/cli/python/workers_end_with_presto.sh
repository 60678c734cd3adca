# Ctrl-C and a kill leave no worker behind.
mkdir arrays
python3 -c '
import numpy as np
for i in range(4):
    np.save(f"arrays/s{i}.npy", np.full((4, 5), i, np.uint8))'
cat >mine.py <<'P'
import os
import time


def slow(x):
    with open(f"pid.{os.getpid()}", "w"):
        time.sleep(0.3)
    return x
P
cat >own.conf <<'C'
[dataset]
source = folder
path = arrays
match = *.npy
label = none
[pipeline]
own = python mine.py:slow gives=uint8:4x5
[measure]
runs = 1000
C
for signal in INT KILL; do
	# A background process of a script ignores Ctrl-C otherwise.
	python3 -c '
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' presto profile own.conf --db "$signal.db" >/dev/null 2>&1 &
	while ! ls pid.* >/dev/null 2>&1; do
		sleep 0.05
	done
	kill -$signal $!
	status=0
	wait $! 2>/dev/null || status=$?
	echo "$signal: status $status"
	for pid in pid.*; do
		n=0
		# What nobody waits for is a zombie.
		while grep -q '^State:[[:space:]][^Z]' "/proc/${pid#pid.}/status" 2>/dev/null; do
			n=$((n + 1))
			[ $n -lt 600 ] || exit 9
			sleep 0.05
		done
	done
	echo gone
	rm pid.*
done
