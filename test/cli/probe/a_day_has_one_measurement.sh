probe() {
	presto probe -t 1 "$@" . 2>&1 >table | grep -E 'stored|measured' |
	    sed 's/on .* UTC, by [a-z0-9 .]*;/at T;/'
}
small() {
	probe --size 1MiB --files 2 "$@"
}
small
small --db x.db
# What was measured with few files is kept, but is not the day's.
sqlite3 x.db 'SELECT pattern, threads, files, brief FROM ceiling'
sqlite3 x.db 'UPDATE ceiling SET brief = 0, tool = "marked"'
PRESTO_DB=x.db probe
wc -l <table
# A trial that read faster since then is no probe.
sqlite3 x.db "INSERT INTO ceiling SELECT device, boot, day, pattern, threads,
    'trial', brief, 4e12, requests_per_s, NULL, files, file_bytes, 'trial',
    strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '+1 second'), NULL, cold, NULL,
    NULL, NULL, NULL FROM ceiling"
PRESTO_DB=x.db probe
grep -c -e trial -e '4 000 000' table || :
sqlite3 x.db "DELETE FROM ceiling WHERE origin = 'trial'"
# ... nor is it put in its place.
small --db x.db --again
sqlite3 x.db 'SELECT tool, brief FROM ceiling'
# An emulated storage is no device.
small --db y.db --set storage.latency=1ms
ls
