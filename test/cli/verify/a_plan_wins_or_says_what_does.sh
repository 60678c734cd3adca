# Exit status and words; the figures are those of a machine that does other
# things meanwhile, so each of the honest verdicts will do.
mkdir data
find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -n 12 | xargs cp -pt data
cat >photos.conf <<'C'
[dataset]
source = folder
path = data
match = *.jpg
[pipeline]
decoded = jpeg_decode
resized = resize size=24x24
cropped = random_crop size=20
[strategies]
split = decoded, resized
[load]
threads = 1
cache = none
[measure]
runs = 5
min_run_time = 0
probe = no
C
presto profile photos.conf --db p.db >/dev/null 2>&1
sqlite3 p.db "UPDATE run SET wall_ns = wall_ns * 1000; UPDATE run SET wall_ns = 1000 WHERE trial IN
    (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = 'resized/tar/none')"
presto recommend --db p.db --plan best.plan >/dev/null 2>&1
echo "-- the plan"
status=0
presto verify best.plan --budget 3s --format csv >verify.csv 2>err || status=$?
case $status in
0 | 3 | 4) echo "a verdict" ;;
*) cat err ;;
esac
cut -d, -f1,4 verify.csv | tr -d '\r' | sort
echo "-- for programs, and a database that is kept"
presto verify best.plan --budget 3s --format json --db kept.db -o verify.json 2>/dev/null || [ $? -ge 3 ]
grep -oE '"(strategy|role)": "[^"]*"|"verdict"' verify.json | sort | uniq -c | sed 's/^ *//'
presto report --db kept.db --csv | cut -d, -f4 | tr -d '\r' | sort
echo "-- nothing else is left"
find . -name 'presto-work-*' -o -name '.presto-*'
echo "-- a plan of something slow"
# 20 ms a file: the photographs as they are, against one shard
sqlite3 p.db "UPDATE run SET wall_ns = 1 WHERE trial IN
    (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = 'unprocessed')"
presto recommend --db p.db --plan slow.plan >/dev/null 2>&1
status=0
presto verify slow.plan --budget 10s --set storage.latency=20ms 2>err >out || status=$?
echo "exit status $status"
sed -n 's/[0-9.]* times/N times/; s/: [a-z]*\/tar\/none/: S/; /slow.plan/p' err
echo "-- no time for the runners-up"
status=0
presto verify slow.plan --budget 1s --set storage.latency=100ms 2>err >out || status=$?
echo "exit status $status"
grep -o 'inconclusive: these runs cannot tell unprocessed from' err
echo "-- edited, and no plan"
sed 's/^throughput = .*/throughput = 1/' best.plan >edited.plan
for file in edited.plan photos.conf none.plan; do
	status=0
	presto verify $file 2>&1 || status=$?
	echo "exit status $status"
done
