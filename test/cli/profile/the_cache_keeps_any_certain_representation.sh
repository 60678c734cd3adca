# resized is a quarter of centered, which is the last one in front of the crop.
cat >places.conf <<CONF
[dataset]
source = folder
path = $SMALL_PHOTOS
match = **/*.jpg
[pipeline]
decoded = jpeg_decode
resized = resize size=64
centered = center
cropped = random_crop size=48
[strategies]
split = decoded, centered
store = tar
codec = none
[measure]
samples = 12
runs = 1
min_run_time = 0
probe = no
CONF
columns() { # DB
	presto report --db "$1" --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(*(row[c] for c in ("strategy", "cache", "cache_place", "status", "samples", "equivalent")))'
}
# What a strategy stores is kept where that is later, and nothing twice.
presto profile --search all --threads 1 --cache application,application:resized,application:raw places.conf >/dev/null 2>log
columns presto.db
# A search tells them apart, too.
presto profile --search auto --threads 1 --db auto.db --cache application,application:raw,application:resized places.conf \
    >/dev/null 2>log || cat log
presto report --db auto.db --csv | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(len(rows) > 2, all(row["status"] == "done" or row["source"] == "predicted" for row in rows))'
# The last one that has room, with centered 590 kB and resized 147 kB.
presto profile --search all --threads 1 --db room.db --cache application --set load.cache_budget=300kB places.conf >/dev/null 2>log
columns room.db
presto recommend --db room.db --format json | python3 -c '
import json, sys
found = json.load(sys.stdin)
print(found["recommendation"]["cache"], sorted((r["strategy"], r["cache_place"]) for r in found["ranking"]))'
presto recommend --db room.db | grep -c 'recommended.*cache application:\(resized\|centered\)'
for cache in application:cropped application:resize system:resized application:; do
	presto profile --cache "$cache" places.conf 2>&1 >/dev/null | sed "s,.*presto: ,,"
	echo "${PIPESTATUS[0]}"
done
presto show places.conf | sed -n '/^cache:/,/^strategies/p'
presto profile --dry-run --cache application:resized places.conf | grep -o 'cache application.*'
