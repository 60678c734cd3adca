# Lossy strategies are told by the ranking, and when nothing else is small enough.
presto profile --set measure.min_run_time=0 --samples 8 --runs 1 --cache system --codec none,jpeg:90,zstd:1 --store tar \
    --split resized "$PHOTOS/photos.conf" 2>/dev/null | grep -- --lossy
presto recommend --lossy | grep -o 'resized/tar/jpeg:90  .*\|resized/tar/zstd:1  .*' |
    sed 's/  .*  /  /; s/, tied//; s/, Pareto//; s/([0-9.]* dB)/(N dB)/' | sort
presto recommend --lossy --format markdown | grep -c 'lossy.*|$'
presto recommend --lossy --format csv | cut -d, -f1,23,24 | sort
presto recommend --lossy --format json |
    python3 -c 'import json, sys
for r in sorted((x["strategy"], x["equivalent"], x["portable"]) for x in json.load(sys.stdin)["ranking"]):
    print(*r)'
presto recommend --max-storage 800kB
