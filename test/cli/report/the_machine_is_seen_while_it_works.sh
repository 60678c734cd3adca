presto profile --samples 8 --runs 2 --cache none --codec none --store tar --split decoded \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
presto report --what system --csv >system.csv
head -n 1 system.csv
# A row at least for the preparation, and for each check and run.
cut -d, -f2,3,6 system.csv | grep -vE '^(between|activity)' | uniq | sort | uniq
presto report --what system --json | python3 -c '
import json, sys
rows = json.load(sys.stdin)
at = [row["at_s"] for row in rows]
print(at == sorted(at), all(row["interval_s"] > 0 for row in rows))
print(all(row["memory_used_bytes"] > 0 for row in rows))'
presto report --what system --markdown | grep -c '^| *at '
