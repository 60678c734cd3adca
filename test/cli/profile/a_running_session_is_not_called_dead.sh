how=(--runs 400 --set measure.min_run_time=0 --samples 8 --cache none --codec none --store tar --split resized
    --threads 1 --set storage.latency=2ms "$PHOTOS/photos.conf")
presto profile "${how[@]}" >/dev/null 2>&1 &
first=$!
while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
	sleep 0.05
done
second() { # what it says of the first
	rm -f log
	presto profile "$@" "${how[@]}" >/dev/null 2>log &
	while ! grep -qs 'session 1' log && kill -0 $! 2>/dev/null; do
		sleep 0.05
	done
	kill -TERM $! 2>/dev/null || true
	wait $! || true
	grep -o 'session 1.*' log | sed 's,/.*/presto,DIR/presto,; s/work-[^/]*/work-X/; s/process .*;/process P;/'
}
second --resume
second
kill -KILL $first
wait $first 2>/dev/null || true
sqlite3 presto.db 'delete from session where id > 1'
second
