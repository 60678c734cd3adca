# The trace is read as a viewer does: names of processes and threads, work that
# lies side by side or one in the other, lengths of queues.
profile() {
	presto profile --db "$1.db" --samples 24 --runs 1 --set measure.min_run_time=0 --threads 2 \
	    --codec none --store tar --split raw,resized,centered --cache none,system "${@:2}" \
	    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
}
cat >lanes.py <<'END'
import collections, json, sys
trace = json.load(open(sys.argv[1]))
events = trace["traceEvents"]
names = {k: {} for k in ("process_name", "thread_name")}
for e in events:
    if e["ph"] == "M" and e["name"] in names:
        names[e["name"]][e["pid"], e["tid"]] = e["args"]["name"]
print("processes:", *sorted(n.split(",")[0] for n in names["process_name"].values()))
# A fetcher may come too late for all files.
print("threads:", *sorted({n.split()[0] for n in names["thread_name"].values()}))
lanes = collections.defaultdict(list)
for e in events:
    if e["ph"] == "X":
        begin = round(1000 * e["ts"])
        lanes[e["pid"], e["tid"]].append((begin, -round(1000 * e["dur"]), e["name"]))
    elif e["ph"] == "C":
        assert e["args"]["items"] >= 0 and e["name"].startswith("queue: "), e
    else:
        assert e["ph"] == "M", e
assert set(lanes) <= set(names["thread_name"]), "a thread has no name"
for lane in lanes.values():
    ends = []
    for begin, less, name in sorted(lane):
        assert less <= 0 and begin >= 0, name
        while ends and ends[-1] <= begin:
            ends.pop()
        assert not ends or begin - less <= ends[-1], f"{name} overlaps"
        ends.append(begin - less)
print("events:", *sorted({e["name"] for e in events if e["ph"] in "XC"} -
                         {"wait for room", "wait for data"}))
waits = {names["thread_name"][e["pid"], e["tid"]][:6] for e in events if e["name"].startswith("wait")}
print("somebody waits:", bool(waits), "steps:", *sorted({e["args"]["step"] for e in events
      if e["ph"] == "X" and e["name"] in ("decoded", "centered")}))
END
profile best
presto report --db best.db --trace best.json 2>/dev/null
python3 lanes.py best.json >best.txt
sed -n '2p' best.txt
grep -c '^processes: .*unprocessed' best.txt
presto report --db best.db --trace - --strategy unprocessed | python3 lanes.py /dev/stdin
# Two of each cache mode and unprocessed of each; all of them; none.
count() {
	sqlite3 "$1.db" "select count(distinct trial), max(n) <= 2000 from
	    (select trial, count(*) over (partition by trial) as n from trace_event)"
}
count best
profile all --trace all
count all
profile no --trace no
count no
presto report --db no.db --trace no.json 2>&1 || echo "exit $?"
presto report --db best.db --trace x.json --strategy nothing 2>&1 || echo "exit $?"
presto report --db best.db --strategy raw/tar/none 2>&1 || echo "exit $?"
presto profile --trace some "$SMALL_PHOTOS/photos.conf" 2>&1 | sed 's/.*photos.conf//' || echo "exit $?"
ls ./*.json
