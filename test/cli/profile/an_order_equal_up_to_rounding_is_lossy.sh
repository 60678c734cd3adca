cat >grey.conf <<'C'
[dataset]
source = folder
path = .
match = *.jpg
label = directory
[pipeline]
decoded = jpeg_decode
small = resize shorter=48
grey = grayscale
[strategies]
split = small, grey
[load]
threads = 1
cache = system
[measure]
samples = 12
runs = 2
min_run_time = 0
probe = no
C
ln -s "$SMALL_PHOTOS"/*/ .
presto profile grey.conf --order given,o1 --set measure.search=all >/dev/null 2>&1
presto report --csv | cut -d, -f4,5,12,30
echo 'the difference is small, and printed:'
presto report --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["order"]:
        largest, mean = (float(row[f"difference_{w}"]) for w in ("largest", "mean"))
        print(row["strategy"], 0 < mean < largest <= 3, 45 < float(row["psnr_db"]) < 80)
'
presto report | grep -c 'lossy ([0-9.]* dB)'
winners() {
	presto recommend --format json "$@" 2>/dev/null |
		python3 -c '
import json, sys
print(any(r["rank"] for r in json.load(sys.stdin)["ranking"] if r["strategy"].startswith("o")))'
}
echo 'ranked only if that is asked for:'
winners
winners --lossy
