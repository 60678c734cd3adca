# Preparation times of both kinds are not mixed in one session.
measure() {
	presto profile --set measure.min_run_time=0 --samples 4 --runs 2 --cache none \
		--codec none "$@" "$SMALL_PHOTOS/photos.conf" 2>&1 >/dev/null |
		grep -o 'there is no session to resume' || echo 'no warning'
}
measure --split raw
sqlite3 presto.db "update session set state = 'interrupted'"
measure --split raw --resume --no-reuse
measure --split raw --resume
sqlite3 presto.db 'select count(*) from session'
