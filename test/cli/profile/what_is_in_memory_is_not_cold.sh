# A tmpfs keeps its files; what cannot be cold is told, not passed off as cold.
work=$(mktemp -d /dev/shm/presto-cli-XXXXXX) || exit 1
trap 'rm -rf "$work"' EXIT
presto profile --set measure.min_run_time=0 --samples 12 --runs 2 --split resized --store tar --codec none \
    --cache none,system --threads 1 --work-dir "$work" "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log
grep -c 'warning: not cold: data was in memory before a cold run' log
presto report --csv >r.csv
# What is known of the dataset depends on the file system of this test.
python3 -c '
import csv
for r in csv.DictReader(open("r.csv")):
    if r["strategy"] == "unprocessed":
        print(r["strategy"], r["cache"], bool(r["cold"]))
    else:
        print(r["strategy"], r["cache"], r["cold"], r["resident_percent"])
'
presto report | grep -c 'resized/tar/none.*not cold'
