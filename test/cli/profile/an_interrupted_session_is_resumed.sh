presto profile --set measure.min_run_time=0 --samples 6 --runs 2 --cache none --codec none,gzip:1 --set storage.latency=4ms \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1 &
while [ "$(sqlite3 presto.db 'select count(*) from trial' 2>/dev/null || echo 0)" -lt 3 ]; do
	sleep 0.05
done
kill -KILL $!
wait $! 2>/dev/null || true
presto profile --resume --set measure.min_run_time=0 --samples 6 --runs 2 --cache none --codec none,gzip:1 --set storage.latency=4ms \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
presto report --csv | wc -l
presto report --csv | cut -d, -f4 | sort | uniq -d
sqlite3 presto.db 'select count(*), min(state) from session'
ls
