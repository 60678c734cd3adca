how=(--runs 400 --set measure.min_run_time=0 --samples 8 --cache none --codec none --store tar --split resized
    --threads 1 --set storage.latency=2ms "$SMALL_PHOTOS/photos.conf")
begin() { # session 1, in the background
	presto profile "${how[@]}" >/dev/null 2>&1 &
	first=$!
	while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
		sleep 0.05
	done
}
end() {
	kill -KILL $first
	wait $first 2>/dev/null || true
}
begin
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
end
sqlite3 presto.db 'delete from session where id > 1'
second
# Of many that resume a killed session, one does.
rm -rf presto.db* presto-work-*
begin
end
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
