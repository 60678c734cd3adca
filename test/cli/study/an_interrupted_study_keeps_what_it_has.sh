# The variant that was running keeps its finished trials; the one before is whole.
export PRESTO_DB=presto.db
made() {
	printf '%s\n' '[dataset]' 'source = synthetic' 'shape = 64x64' 'count = 64' '[pipeline]' 'same = identity' \
	    '[strategies]' 'split = raw' 'store = tar' 'codec = none' '[load]' 'cache = none' '[measure]' 'min_run_time = 0' 'probe = no' "$@"
}
made 'runs = 1' >quick.conf
made 'runs = 1000' 'min_run_time = 1' | sed '0,/^min_run_time = 0/{//d}' >long.conf
presto study variants quick.conf long.conf --csv >out 2>err &
study=$!
while [ "$(sqlite3 presto.db 'select count(*) from session' 2>/dev/null || echo 0)" -lt 2 ]; do
	sleep 0.05
done
kill -TERM $study
wait $study || echo "exit $?"
grep -c '^variants,quick,unprocessed,1,done' out
sqlite3 presto.db 'select id, state from session'
ls
