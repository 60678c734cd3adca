# Four sessions, each 6 % slower than the one before, as a machine drifts; then
# one of fewer samples, and one with a trial more.
measure() { # SAMPLES SPLITS
	presto profile --set measure.min_run_time=0 --samples "$1" --runs 5 \
	    --cache system --threads 1 --codec none --store tar --split "$2" \
	    --db base.db "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
}
for _ in 1 2 3 4; do
	measure 4 raw
done
measure 3 raw
measure 4 raw,decoded
sqlite3 base.db "UPDATE run SET user_ns = 90000000, system_ns = 0,
    others_ns = 0, stolen_ns = 0, reference_ns = NULL,
    wall_ns = (1000000 + 10000 * run) * (100 + 6 * (SELECT session
    FROM strategy JOIN trial ON strategy.id = trial.strategy
    WHERE trial.id = run.trial))"
echo "-- the later two are slower, and each than the one before"
presto compare base.db:1,2 base.db:3-4 --db none.db >out 2>/dev/null || echo "exit $?"
sed -n '1,2s/, 20.*//p; s/^\(INC[^:]*: [^:]*\).*/\1/p' out
presto compare base.db:1 base.db:2 >/dev/null 2>&1 || echo "exit $?"
echo "-- by turns, drift is in both"
presto compare 1,4 2,3 --db base.db | tail -n 1
presto compare 1,4 2,3 --db base.db --format json | tr -d ' \n' |
    grep -o '"sessions":[^]]*]\|"mean_ratio":[0-9.]\{5\}\|"base_runs":[0-9]*'
echo "-- mistakes"
sqlite3 base.db "UPDATE session SET state = 'interrupted' WHERE id = 4"
for wrong in 1,1 3-1 1,,2 1- 1-999 7,8 1,5 1,6 1,4; do
	presto compare "base.db:$wrong" base.db 2>&1 || echo "exit $?"
done
sqlite3 base.db "UPDATE session SET version = '0.0.9' WHERE id = 3"
presto compare base.db:2-3 base.db 2>&1 || echo "exit $?"
