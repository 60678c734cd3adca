# The memory that is free now does not move the application cache of a session that goes on.
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
split = raw
store = tar
codec = none
[measure]
samples = 12
runs = 1
min_run_time = 0
probe = no
CONF
measure() {
	presto profile --search all --threads 1 --cache application "$@" places.conf >/dev/null 2>log || cat log
}
places() {
	presto report --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["strategy"], row["cache"], row["cache_place"])'
}
measure
places
# centered takes 590 kB and resized 147 kB.
sqlite3 presto.db "pragma foreign_keys = on; update session set state = 'interrupted', cache_budget = 300000; delete from trial"
measure --resume
places
sqlite3 presto.db "pragma foreign_keys = on; update session set state = 'interrupted'; delete from trial"
measure --resume --set load.cache_budget=4MB
places
