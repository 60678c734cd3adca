# The code of a step is a part of what a session and a folder are of: compare,
# --resume and materialize name the step that changed.
mkdir texts
for word in one two three four; do
	printf 'the word %s' "$word" >"texts/$word.txt"
done
cat >own.conf <<'C'
[dataset]
source = folder
path = texts
match = *.txt

[pipeline]
same = identity
upper = command './tool'

[measure]
min_run_time = 0
epochs = 1
probe = no
C
tool() { # COMMAND
	printf '#!/bin/sh\n%s\n' "$1" >tool
	chmod +x tool
}
how=(--cache none --codec none --store tar --split upper --threads 1)
hide() {
	sed 's/[0-9a-f]\{16\}/HASH/g'
}
tool 'tr a-z A-Z'
presto profile --runs 5 "${how[@]}" --db base.db own.conf >/dev/null 2>&1
presto materialize own.conf --strategy upper/tar/none --out stored >/dev/null
presto materialize own.conf --strategy same/tar/none --out before >/dev/null
presto profile --runs 5 "${how[@]}" --db again.db own.conf >/dev/null 2>&1
presto compare base.db again.db --threshold 99% 2>&1 | grep -c 'the code of' || true
presto profile --runs 400 "${how[@]}" --set storage.latency=5ms own.conf >/dev/null 2>&1 &
while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
	sleep 0.02
done
kill -KILL $!
wait $! 2>/dev/null || true
tool 'exec tr a-z A-Z'
presto profile --runs 5 "${how[@]}" --db fresh.db own.conf >/dev/null 2>&1
status=0
presto compare base.db fresh.db 2>err || status=$?
echo "compare: $status"
hide <err
presto compare base.db fresh.db --force --threshold 99% 2>&1 | grep 'the code of' | hide
status=0
presto materialize own.conf --strategy upper/tar/none --out stored 2>err || status=$?
echo "materialize: $status"
hide <err
# What was stored before the step is not of its code.
presto materialize own.conf --strategy same/tar/none --out before >/dev/null && echo fine
status=0
presto profile --resume --runs 400 "${how[@]}" --set storage.latency=5ms own.conf \
    >/dev/null 2>err || status=$?
echo "resume: $status"
hide <err
sqlite3 presto.db 'SELECT count(*) FROM session'
# Undone, it goes on.
tool 'tr a-z A-Z'
presto profile --resume --runs 400 --budget 1s "${how[@]}" --set storage.latency=5ms own.conf \
    >/dev/null 2>&1 && echo resumed
sqlite3 presto.db 'SELECT count(*) FROM session'
