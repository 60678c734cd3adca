# What is stored behind the place that was named is kept as it is: its runs count in the race as well.
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
search = auto
min_run_time = 0
probe = no
CONF
presto profile --runs 2 --threads 1 --cache application:resized places.conf >table 2>log || cat log
presto report --csv | python3 -c '
import csv, sys
done = [row for row in csv.DictReader(sys.stdin) if row["status"] == "done"]
print("measured:", len(done) > 0, "ended without their runs:", [row["strategy"] for row in done if row["ended"] == "runs" and int(row["runs"]) < 2])
'
# Two names may be one place: a row that was measured is not replaced by a forecast.
presto profile --db two.db --runs 1 --threads 1 --cache application:resized,application:centered places.conf >table 2>log || cat log
measured=$(presto report --db two.db --csv | grep -c ',measured,')
ran=$(sed -n 's/^  *searched  *\([0-9]*\) of .*/\1/p' table)
[ "$measured" -gt 0 ] && echo "as many as were said: $((${ran:-$measured} - measured)) more"
