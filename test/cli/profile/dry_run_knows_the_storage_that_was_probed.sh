# The rate of a strategy and what limits it, without the interval.
rate() {
	sed -nE "/$1/s/.* ([0-9.]+( [0-9]{3})*) ± [0-9]+ % ?(\\([a-z]*\\))?$/\\1 \\3/p"
}
dry() {
	presto profile --dry-run --store tar --codec none "$@" \
	    "$PHOTOS/photos.conf" >out
	sed -nE -e '/^cache none/s/: .* reads/: X reads/p' \
	    -e 's/(read speed of) .* (is not)/\1 X \2/p' out
	rate '^centered' <out
}
dry --cache none | sed 2d # by the cores
grep -Ec ' \((storage|latency)\)$' out || true
presto probe --db presto.db --size 1MiB --files 2 -t 1 . >/dev/null 2>&1
sqlite3 presto.db 'UPDATE ceiling SET cold = 1, files = 10, file_bytes = 1e4,
    bytes_per_s = 1e6, requests_per_s = 50'
dry --cache none
# Opening a file takes 10 ms besides.
rate '^unprocessed' <out
dry --cache none --set measure.probe=no | sed 's/.*/by the cores/'
# An emulated one is known by its section.
dry --cache none --set storage.bandwidth=2MB/s
dry --cache none --set storage.latency=100ms
