# A search goes on only for what it looked for; all trials are the same for any objective.
measure() {
	presto profile --samples 4 --runs 1 --cache none --codec none --store tar --split raw --set measure.min_run_time=0 \
	    --set measure.probe=no "$@" "$SMALL_PHOTOS/photos.conf" 2>&1 >/dev/null |
	    grep -o 'there is no session to resume' || echo 'it goes on'
}
interrupt() {
	sqlite3 presto.db "update session set state = 'interrupted'"
}
measure --search auto >/dev/null
interrupt
measure --search auto --resume --objective balanced
interrupt
measure --search auto --resume --max-prep 1h
interrupt
measure --search all --resume
interrupt
measure --search auto --resume --max-prep 1h
interrupt
measure --search all --resume --objective balanced
sqlite3 presto.db 'select count(*) from session'
