# What memory is too small for is skipped, or refused, before it begins: else
# the kernel ends the program, or it fails halfway.  A limit of the address
# space is one that each user may set.  Each arena of the C library would take
# 64 MB of it, and how many there are depends on how the threads run.
export MALLOC_ARENA_MAX=1
limit=410000
(
	ulimit -v "$limit"
	presto list >out 2>&1
) || { # a sanitizer takes more for itself
	cat "${0%.sh}.stdout.exact"
	exit 0
}
cat >big.conf <<'END'
[dataset]
source = synthetic
shape = 400000
count = 64
[pipeline]
same = identity
[strategies]
store = tar
codec = none
[load]
threads = 1,2
cache = system
batch = 64
[measure]
samples = 64
runs = 1
min_run_time = 0
probe = no
END
limited() {
	(
		ulimit -v "$limit"
		status=0
		presto "$@" >out 2>err || status=$?
		echo "status $status"
	)
}
states() {
	presto report --csv | cut -d, -f4,10,12
}
export PRESTO_DB=a.db
limited profile big.conf
grep -c 'skipped unprocessed, 2 threads, cache system: needs about' err
states | sed 3q
# Nothing at all can be compared: that is said, and what to do.
limited profile big.conf --set dataset.count=640 --samples 640 \
    --set load.batch=640 --name all
grep -o 'unprocessed: needs about.*memory' err | sed 's/about.*/.../'
grep -o 'or a smaller batch.*' err | tail -n 1
# How much it is, is told before.
presto profile big.conf --dry-run --samples 64 | grep -c '^memory: '
# Mixing 256 MB takes memory in each thread.
limited materialize big.conf --strategy raw/tar/none --out full -t 16
grep -o 'full: needs about.*memory' err | sed 's/about.*/.../'
[ ! -e full ]
presto materialize big.conf --strategy raw/tar/none --out full -n | grep -c '^  memory'
