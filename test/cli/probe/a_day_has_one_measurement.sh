probe() {
	presto probe --size 1MiB --files 2 -t 1 "$@" . 2>&1 >/dev/null |
	    grep -E 'stored|measured' | sed 's/at .* UTC, by [a-z0-9 .]*;/at T;/'
}
# What is asked for in other sizes is measured, and kept all the same.
probe
probe --db x.db
probe --db x.db
presto probe -t 1 --db x.db . 2>&1 >table |
    sed 's/at .* UTC, by [a-z0-9 .]*;/at T;/'
wc -l <table
# Another number of threads is not there yet.
presto probe -t 1,2 --size 1MiB --files 2 --db x.db . 2>&1 >/dev/null |
    grep stored
presto probe -t 2 --db x.db . 2>&1 >/dev/null | grep -o 'measured today'
# An emulated storage is no device.
probe --db y.db --set storage.latency=1ms
ls
