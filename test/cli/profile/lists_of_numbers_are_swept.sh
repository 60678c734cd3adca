# Each number of a list is a trial of its own, in every table; auto shows what it found.
profile() { # OPTION...
	rm -f presto.db
	presto profile --search all --samples 6 --runs 1 --cache none --codec none --store tar --split resized \
	    --set measure.min_run_time=0 --set measure.probe=no --threads 1 "$@" "$SMALL_PHOTOS/photos.conf" >/dev/null 2>err ||
	    cat err
}
columns() { # NAME...
	presto report --csv | python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin): print(*[row[name] or "-" for name in sys.argv[1:]])' strategy status "$@"
}
profile --set load.fetchers=1,3 --set 'load.shuffle=0 4'
columns fetchers shuffle
presto report --what runs --csv | python3 -c 'import csv, sys
print(len({(r["trial"], r["fetchers"], r["shuffle"]) for r in csv.DictReader(sys.stdin)}), "trials have runs")'
presto recommend | sed -n 's/^recommended: .*\(, fetchers [13], shuffle [04]\).*/the winner has its numbers/p'
presto recommend --format json | python3 -c 'import json, sys
print(len({(r["strategy"], r["fetchers"], r["shuffle"]) for r in json.load(sys.stdin)["ranking"]}), "in the ranking")'
presto recommend --plan - 2>/dev/null | sed -n '/^\[load\]/,/^$/s/^\(fetchers\|shuffle\) = [0-9]$/\1: one number in the plan/p' | sort
profile --shards 1,2 --samples 4,6
columns source_samples shards
presto recommend --format json | python3 -c 'import json, sys
print(sorted((r["source_samples"], r["unranked"]) for r in json.load(sys.stdin)["ranking"] if r["unranked"]))'
# A session goes on with other numbers, and does not repeat what it has.
profile --set load.read_ahead=2
sqlite3 presto.db "update session set state = 'interrupted'; select count(*) from trial"
presto profile --resume --search all --samples 6 --runs 1 --cache none --codec none --store tar --split resized \
    --set measure.min_run_time=0 --set measure.probe=no --threads 1 --set load.read_ahead=2,5 \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
columns read_ahead
profile --threads auto --set load.fetchers=auto --set load.read_ahead=auto --set load.batch=auto --shards auto
presto report --csv | python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["strategy"], *[int(row[n]) > 0 for n in ("threads", "fetchers", "read_ahead", "batch")])'
presto report | grep -o 'fetchers.*batch' | tr -s ' '
for wrong in fetchers=auto,4 shuffle=auto batch=0 read_ahead=x; do
	presto profile --set "load.$wrong" "$SMALL_PHOTOS/photos.conf" 2>&1 | sed 's/.*load\.//'
done
