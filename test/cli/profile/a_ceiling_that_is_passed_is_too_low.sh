# Trials that read faster than the probe did are the better measurement.
cat >fast.conf <<'END'
[dataset]
source = synthetic
shape = 65536
count = 400

[pipeline]
same = identity

[strategies]
split = raw
store = npy, tar
codec = none

[load]
threads = 1
cache = none

[measure]
runs = 1
min_run_time = 0
END
presto probe --db presto.db --size 1MiB --files 2 -t 1 . >/dev/null 2>&1
sqlite3 presto.db 'UPDATE ceiling SET cold = 1, files = 10, file_bytes = 1e4,
    bytes_per_s = 1e4, requests_per_s = 1'
presto profile fast.conf >out 2>log || cat log
# Once, however many trials it is of.
tr '\n' ' ' <log | grep -o 'the ceiling of the storage is too low' | uniq -c | sed 's/^ *//'
presto report --csv | cut -d, -f29 | tail -n +2 | grep -c . # all have a bottleneck
# No share is above 100 %, and what is in the database is as it was measured.
grep -oE '[0-9]+ % of [0-9.]+ .?B/s' out | awk '$1 > 100'
sqlite3 presto.db 'SELECT DISTINCT bytes_per_s FROM ceiling'
