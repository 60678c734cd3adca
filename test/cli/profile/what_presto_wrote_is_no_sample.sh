mkdir -p data/class
find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -n 12 | xargs -I{} cp {} data/class
cat >photos.conf <<'C'
[dataset]
source = folder
path = data

[pipeline]
decoded = jpeg_decode

[strategies]
split = raw
store = tar
codec = none

[load]
threads = 1
cache = system

[measure]
runs = 1
min_run_time = 0
C
measure() {
	presto profile photos.conf --db data/presto.db --work-dir data --keep 2>&1 >/dev/null |
	    grep -o 'passed over.*' | sed 's/presto-work-[^ ,]*/presto-work-X/' || true
}
write() { # OUT
	presto materialize photos.conf --strategy raw/tar/none --out "$1" 2>&1 |
	    grep -v 'passed over'
}
measure
presto report --db data/presto.db --html data/report.html
write data/out | grep -o '[0-9]* samples'
measure
sqlite3 data/presto.db 'select samples, total_samples, source_bytes = total_bytes,
    total_bytes = (select min(total_bytes) from session) from session'
presto materialize --db data/presto.db --strategy raw/tar/none --out data/again 2>&1 |
    grep -o '[0-9]* samples as'
write data | sed "s|('.*')|(SOMETHING)|"
write . | sed "s|('.*')|(SOMETHING)|"
