how=(--runs 400 --set measure.min_run_time=0 --samples 8 --cache none --codec none --store tar --split resized
    --threads 1 --set storage.latency=2ms "$PHOTOS/photos.conf")
presto profile "${how[@]}" >/dev/null 2>&1 &
first=$!
while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
	sleep 0.02
done
kill -KILL $first
wait $first 2>/dev/null || true
for i in 1 2 3 4; do
	presto profile --resume "${how[@]}" >/dev/null 2>"err.$i" &
	echo $! >"pid.$i"
done
losers() {
	grep -l 'in use by another presto: process' err.* | wc -l
}
while [ "$(losers)" -lt 3 ] && [ "$(jobs -pr | wc -l)" -gt 1 ]; do
	sleep 0.02
done
losers
for i in 1 2 3 4; do
	grep -q 'another presto' "err.$i" && continue
	winner=$(cat "pid.$i")
	kill -TERM "$winner"
	wait "$winner" || true
done
grep -ho 'session 1: .*process [0-9]*' err.* | sed "s/$winner/WINNER/; s,/.*/presto-work-.*/\.,FOLDER/.,"
sqlite3 presto.db 'select count(*), state from session'
ls -d presto-work-* 2>/dev/null || true
