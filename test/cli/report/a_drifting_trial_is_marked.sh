# Runs of a drifting machine resemble those before them, and all trials move together.
presto profile --set measure.min_run_time=0 --samples 8 --runs 10 --cache system --codec none --store tar \
    --split raw "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
# rewrite SPEED: the speed of the n-th run; both trials differ a little from it.
rewrite() {
    sqlite3 presto.db "update run set wall_ns = cast(8e9 / (200 * ($1)) * (1 + 0.003 * ((run * 7 + trial * 3 + run * trial) % 5)) as integer)"
}
marked() {
    presto report --csv | python3 -c 'import csv, sys; print([row["drift"] for row in csv.DictReader(sys.stdin)])'
    presto report | grep -E '^drift|^  presto|drifts' | sed 's/.*  \([a-z0-9, ]*drifts\)/\1/'
}
echo '--- slower and slower'
rewrite '1.0 - 0.02 * run'
marked
presto recommend | grep -c 'warning .*the machine changed its speed'
presto report --html page.html
grep -c '<li>drift: .*<code>presto profile --resume --budget 3m</code>' page.html
presto report --format markdown | grep -c '^- drift: .*`presto profile --resume --budget 3m`$'
echo '--- now fast, now slow, all alike'
rewrite 'case when run in (2, 3, 7, 9) then 0.8 else 1 end'
marked
echo '--- each for itself'
rewrite '1.0 + 0.03 * ((run * (5 + 4 * (trial % 2)) + trial * run * run) % 7 - 3)'
marked
echo '--- too few to tell'
sqlite3 presto.db 'delete from run where run > 4'
marked
# The command that is printed can be run.
rewrite '1.0 - 0.02 * run'
presto profile --resume --budget 1s >/dev/null 2>&1 && echo ran
