# A kill of presto leaves neither the user's loader behind nor its workers.
cat >my.py <<'P'
import os
import time


def work():
    with open(f"pid.{os.getpid()}", "w"):
        time.sleep(1000)


def make_loader():
    if os.fork() == 0:
        work()
    work()
P
presto profile "$SMALL_PHOTOS/photos.conf" --samples 24 --split decoded --store tar --codec none --cache system --loader my.py:make_loader --db try.db >/dev/null 2>&1 &
while [ "$(find . -name 'pid.*' | wc -l)" -lt 2 ]; do
	sleep 0.05
done
kill -KILL $!
wait $! 2>/dev/null || true
for pid in pid.*; do
	n=0
	while grep -q '^State:[[:space:]][^Z]' "/proc/${pid#pid.}/status" 2>/dev/null; do
		n=$((n + 1))
		[ $n -lt 600 ] || exit 9
		sleep 0.05
	done
	echo gone
done
