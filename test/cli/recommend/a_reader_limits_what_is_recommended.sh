# What the reader that was asked for does not take has no rank, in every form.
presto profile --set measure.min_run_time=0 --samples 8 --runs 2 --cache system --store tar,tfrecord \
    --codec none,zstd:1 --split resized --set decision.readable_by=tensorflow "$SMALL_PHOTOS/photos.conf" >text 2>&1
grep -oE '^ +resized/[^ ]+' text | sort
presto report --csv | python3 -c '
import csv, sys
for row in sorted(csv.DictReader(sys.stdin), key=lambda row: row["strategy"]):
    print(row["strategy"], "ranked" if row["rank"] else "no rank", "portable" if row["portable"] == "yes" else "presto only")'
decide() { # OPTIONS: noise may leave the winner open
	presto recommend "$@" --format json || [ $? = 4 ]
}
decide >r.json
for reader in webdataset presto; do
	decide --readable-by $reader >$reader.json
done
python3 -c '
import json
for name in "r", "webdataset", "presto":
    r = json.load(open(name + ".json"))
    print(name, sorted((row["strategy"], row["unranked"]) for row in r["ranking"] if row["unranked"]))
    assert r["recommendation"]["strategy"] in [row["strategy"] for row in r["ranking"] if row["rank"] == 1]
'
presto recommend --readable-by webdatset 2>&1 || echo "exit $?"
presto profile --set decision.readable_by=numpi "$SMALL_PHOTOS/photos.conf" 2>&1 || echo "exit $?"
