# A storage can give what it gave once: trials that read faster than the probe raise the ceiling, for all shares.
data=$(mktemp -d -p /var/tmp) && trap 'rm -rf "$data"' EXIT
cat >fast.conf <<EOF
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
threads = 1, 2
cache = none

[measure]
runs = 2
min_run_time = 0
EOF
profile() { presto profile --work-dir "$data" "$@" fast.conf; }
presto probe --db presto.db --size 1MiB --files 2 -t 1,2 "$data" >/dev/null 2>&1
sqlite3 presto.db 'UPDATE ceiling SET cold = 1, files = 10, file_bytes = 1e4,
    bytes_per_s = 1e4, requests_per_s = 1'
profile --dry-run | sed 's/ ± [0-9]* %//g; s/\([0-9]\) \([0-9]\{3\}\)/\1\2/g' |
    awk '/^raw/ { print "forecast", ($(NF - 1) < 1 ? "slow" : "fast"), $NF }'
profile >out 2>log || cat log
# It is told once, however many trials passed it.
tr '\n' ' ' <log | grep -o 'the storage is faster than its ceiling was' | uniq -c | sed 's/^ *//'
# No share is above 100 %, none is of the planted ceiling, and some trial is the ceiling itself.
presto report --csv --output report.csv
presto report --json >report.json
presto recommend --format json >recommend.json 2>/dev/null || [ $? = 4 ]
cat out report.csv report.json recommend.json | grep -oE '[0-9]+ % of [0-9 .]+ (MB|files)/s' >shares
awk '$1 > 100 || $4 $5 + 0 < 1' shares
# Trials that wait for the storage have one ceiling for each number of threads.
sqlite3 presto.db "SELECT count(DISTINCT substr(bottleneck_evidence, instr(bottleneck_evidence, ' of '))) <= 1
    FROM v_trial WHERE bottleneck_evidence LIKE '%MB/s' GROUP BY threads" | sort -u
sqlite3 presto.db "SELECT origin, threads, min(bytes_per_s) = 1e4, max(bytes_per_s) > 1e6 FROM ceiling
    WHERE pattern = 'sequential' GROUP BY origin, threads"
# Forecasts are no longer bounded by less than was seen.
profile --dry-run | sed 's/ ± [0-9]* %//g; s/\([0-9]\) \([0-9]\{3\}\)/\1\2/g' |
    awk '/^raw/ { print "forecast", ($(NF - 1) < 1 ? "slow" : "fast") }'
