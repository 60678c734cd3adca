how=(--set measure.min_run_time=0 --samples 8 --cache none --codec none --store tar --split resized
    --threads 1 --set storage.latency=2ms "$SMALL_PHOTOS/photos.conf")
presto profile --runs 2 --db base.db "${how[@]}" >/dev/null 2>&1
for seconds in 1 4 16 60; do
	rm -f new.db*
	presto profile --runs 400 --db new.db "${how[@]}" >/dev/null 2>&1 &
	while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
		sleep 0.05
	done
	sleep "$seconds"
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$(sqlite3 new.db 'select count(*) from trial')" -lt 2 ] || break
done
echo "status $status"
presto report --csv --db new.db | cut -d, -f4,12,42
presto recommend --db new.db 2>/dev/null | grep -c '^recommended: '
sqlite3 new.db 'select max(runs) - min(runs) < 2 from (select count(*) as runs from run group by trial)'
presto compare base.db new.db --force | grep -o '^INCONCLUSIVE\|NEW was interrupted' || true
presto compare base.db new.db --force >/dev/null 2>&1 || echo "exit $?"
