# Preparations that share work are charged what it took, and say whose it was.
profile() { # DB OPTION...
	db=$1
	shift
	presto profile --store tar --codec none,gzip,zlib --split decoded,resized \
	    --cache none --runs 1 --samples 6 --set measure.min_run_time=0 \
	    --set measure.probe=no --set load.threads=1 --db "$db" "$@" \
	    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
}
origins() { # DB
	presto report --what phases --csv --db "$1" | cut -d, -f1-11 |
	    sed -n 's/^[0-9]*,\(.*\),,,prepare \([a-z]*\),.*,\(.*\)$/\1 \2: \3/p' |
	    grep -v 'write:\|sync:' # a file system in memory takes no time
	presto report --what phases --csv --db "$1" | cut -d, -f1-11 |
	    grep -c ',none,.*,measured$'
}
profile shared.db
origins shared.db | sed 's/^[1-9][0-9]*$/epochs were measured/'
echo "-- alone"
profile alone.db --no-reuse
origins alone.db | grep -c 'taken over' || true
sqlite3 alone.db "SELECT text FROM session" | grep reuse
