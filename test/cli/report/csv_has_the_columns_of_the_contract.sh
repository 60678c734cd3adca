presto profile --set measure.min_run_time=0 --samples 8 --runs 1 --cache none --codec none --store tar --split raw \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
presto report --csv | head -n 1
presto report --json | python3 -c 'import json, sys; print(sorted(json.load(sys.stdin)))'
presto report --markdown | head -n 1 | cut -c1-1
