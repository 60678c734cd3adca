# The 24 samples are 1.9 MB as decoded, 7.1 MB as resized.
args=(--search all --set measure.min_run_time=0 --runs 1 --split resized --store tar --codec none --threads 1,2)
columns() { # DB
	presto report --db "$1" --csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(*(row[c] for c in ("strategy", "threads", "cache", "cache_place", "status", "samples", "equivalent")))'
}
presto profile "${args[@]}" --cache application,none --set load.cache_budget=4MB \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log
columns presto.db
# One line for each trial says how many are kept.
grep -c 'cache application: [1-9][0-9]* samples of [a-z]* are kept (load.cache_budget)' log
# Not even one part: nothing is kept, and the trials are skipped once.
presto profile "${args[@]}" --db none.db --cache application --set load.cache_budget=1kB \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log
presto report --db none.db --csv | cut -d, -f4,5,10-12,30
grep -c 'one of [0-9]* parts of [a-z]* needs more memory' log
presto profile "${args[@]}" --threads auto --db auto.db --cache application --set load.cache_budget=1kB \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log || cat log
presto report --db auto.db --csv | cut -d, -f4,12 | tail -n +2
presto profile --dry-run --split resized --store tar --codec none \
    --cache system,application:resized --set load.cache_budget=4MB "$SMALL_PHOTOS/photos.conf" >text
grep -c '^cache application keeps .* of .* % of the samples, since 4 MB are allowed' text
ls -A
