# Known before: every strategy would keep the same.
presto profile --set measure.min_run_time=0 --samples 12 --runs 1 --split resized --store tar --codec none \
    --cache application,none --threads 1,2 --set load.cache_budget=1MB \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log
presto report --csv | cut -d, -f4,10-12,30
grep -c 'cache application of .*: needs about .* in memory, 1 MB are allowed (load.cache_budget)$' log
presto report | grep '^skipped' | sed 's,needs about.*,needs,'
presto profile --dry-run --samples 12 --split resized --store tar --codec none \
    --cache system,application --set load.cache_budget=1MB "$SMALL_PHOTOS/photos.conf" >text
grep -c ' skipped$' text
grep -c '^cache application, of centered, needs about' text
# Nothing but what does not fit: what is compared with is loaded all the same.
presto profile --set measure.min_run_time=0 --samples 12 --runs 1 --split resized --store tar --codec none --db other.db \
    --cache application --set load.cache_budget=1MB "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log
presto report --db other.db --csv | cut -d, -f4,11,12,30
ls -A
