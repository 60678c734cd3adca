# Four processes share an emulated storage: its bandwidth is that of all together, and the first one prints.
presto generate tensors --count 60 --set shape=64x64x16 --out data >/dev/null 2>&1
cat >t.conf <<-'END'
	[dataset]
	source = folder
	path = data
	match = *.npy
	[pipeline]
	same = identity
	[strategies]
	split = raw
	store = tar
	codec = none
	[load]
	threads = 1
	cache = none
	[measure]
	runs = 1
	min_run_time = 0
	probe = no
	[storage]
	bandwidth = 40MB/s
	together_wait = 2m
END
all() { # COUNT OPTION...
	count=$1 pids=
	shift
	for rank in $(seq 0 $((count - 1))); do
		PMI_RANK=$rank PMI_SIZE=$count presto profile --together --search all "$@" t.conf >out.$rank 2>err.$rank &
		pids="$pids $!"
	done
	rank=0
	for pid in $pids; do
		wait "$pid" || { echo "rank $rank: $?"; cat err.$rank; }
		rank=$((rank + 1))
	done
}
all 4
wc -c out.1 out.2 out.3 | head -3
grep -c 'load at the same moment' out.0
presto report --what hosts --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    rate = float(row["total_mb_per_s"])
    # A busy machine may be slower than the storage, and never faster.
    print(row["strategy"], row["hosts"], "hosts,", row["runs"], "run,",
          "within the bandwidth" if 1 < rate <= 42 else rate)'
presto report --csv | cut -d, -f4,12-14
presto report --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["hosts"], "hosts", 1 < float(row["total_mb_per_s"]) <= 42,
          row["knee_hosts"] in ("1", "2", "4"),
          float(row["total_samples_per_s"]) > float(row["slowest_samples_per_s"]) > 0)'
presto recommend | grep -o 'read by 4 hosts: [0-9.]* MB/s in total, knee at [124]$' | sed 's/[0-9.]* MB/N MB/; s/at .*/at N/'
presto report --html page.html 2>/dev/null
grep -o '<summary>Hosts.*</summary>' page.html
ls -d presto-together-* presto-work-* 2>/dev/null || echo "nothing is left"
# What cannot be done together is said at once.
(presto profile --together t.conf 2>&1 || true) | sed 's/^presto: //'
(PMI_RANK=0 PMI_SIZE=2 presto profile --together --samples 8,9 t.conf 2>&1 || true) | sed 's/^presto: //'
# A process that is killed ends the others.
for rank in 0 1; do
	PMI_RANK=$rank PMI_SIZE=2 presto profile --together --search all --runs 500 --db other.db t.conf >out.$rank 2>err.$rank &
	eval "pid$rank=$!"
done
while ! sqlite3 other.db 'select count(*) from session' 2>/dev/null | grep -q 1; do sleep 0.1; done
sleep 0.5
kill -KILL "$pid1"
wait "$pid0" || echo "rank 0: $?"
grep -o 'rank 1, host .*' err.0 | sed 's/host [^:]*/host H/'
