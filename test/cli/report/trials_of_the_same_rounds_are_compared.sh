# In each round every trial of the group has a run: its n-th in the n-th round.
presto profile --set measure.min_run_time=0 --samples 8 --runs 5 --cache system --codec none,gzip:1 --store tar \
    --split raw,resized "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
sqlite3 presto.db 'select count(distinct rounds_ns), min(rounds_ns) > 1e18 from trial'
sqlite3 presto.db 'select count(*) from (select run, max(started_ns) over (order by run groups between 1 preceding
    and 1 preceding) as before, started_ns from run where warmup = 0) where started_ns < before'
presto report --csv | python3 -c '
import csv, sys
ends = [(float(row["relative_low"]), float(row["relative_high"])) for row in csv.DictReader(sys.stdin)]
print(len(ends), all(0 < low <= high for low, high in ends), "the fastest:", (1, 1) in ends)'
# On a small disk one is gone before the next comes: they share no rounds.
presto profile --set measure.min_run_time=0 --samples 8 --runs 5 --cache none --codec none --store tar --max-disk 3MB \
    --split raw,resized --db small.db "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
sqlite3 small.db 'select count(distinct rounds_ns), count(relative_low) < 3 from trial join figure on trial = id'
