presto profile --set measure.min_run_time=0 --samples 16 --runs 3 --cache system --codec none --store tar \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
decide() { # OPTIONS: noise may leave the winner open
	presto recommend "$@" || [ $? = 4 ]
}
decide >text
grep -c 'presto materialize' text
grep -ci 'bottleneck' text >/dev/null && echo bottleneck
decide --format json >r.json
python3 -c '
import json
r = json.load(open("r.json"))
print(sorted(r["recommendation"]))
print(sorted({x["strategy"] for x in r["ranking"]}))
'
presto report --csv >r.csv
decide --from r.csv --weights prep=1,storage=1,throughput=1 --top 2 >/dev/null
decide --objective time --epochs 3 --max-storage 100MB >/dev/null
