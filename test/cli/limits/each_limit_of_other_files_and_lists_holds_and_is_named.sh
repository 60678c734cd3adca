# As each_limit_of_a_pipeline_file_holds_and_is_named: at the limit, and above.
try() { # ROW COMMAND...
	local row=$1 status=0
	shift
	"$@" >out 2>err || status=$?
	# Nothing measured is sufficient, or noise leaves it open: no matter.
	[ $status != 3 ] && [ $status != 4 ] || status=0
	echo "$row: $status"
	[ $status != 2 ] || cat err
}
job() { # BATCH
	printf '[job]\nbatch = %s\n' "$1"
}
types() { # COUNT
	job 64
	for i in $(seq "$1"); do
		printf '[gpu%d]\ncount = 1\nthroughput = 64:500\n' "$i"
	done
}
points() { # COUNT
	job 64
	printf '[gpu]\nthroughput = '
	seq "$1" | sed 's/.*/&:&00/' | paste -sd,
}
name() { # BYTES
	job 64
	printf '[%s]\nthroughput = 64:500\n' \
	    "$(head -c "$1" /dev/zero | tr '\0' g)"
}
devices() { # COUNT
	job "$1"
	printf '[gpu]\ncount = %s\nthroughput = 1:5\n' "$1"
}
batch() { # SAMPLES
	job "$1"
	printf '[gpu]\nthroughput = %s:5\n' "$1"
}
for row in "types 8" "points 24" "name 63" "devices 4096" "batch 1048576"; do
	read -r what most <<<"$row"
	for n in $most $((most + 1)); do
		$what "$n" >accelerators.conf
		try "$what $n" presto recommend --db "$MEASURED" \
		    --accelerators accelerators.conf
	done
done
# So many are not there: what is wrong with 101 is said before.
for n in 100 101; do
	try "sessions $n" presto compare --db a.db "1-$n" 1
done
mkdir probed
for n in 16 17; do
	try "threads of probe $n" presto probe --size 64KiB --files 2 \
	    --tool presto --threads "$(seq "$n" | sed 's/.*/1/' | paste -sd,)" probed
done
try "thread 256" presto probe --size 64KiB --files 2 --tool presto \
    --threads 256 probed
try "thread 257" presto probe --size 64KiB --files 2 --tool presto \
    --threads 257 probed
for n in 32 33; do
	# shellcheck disable=SC2046 # many words
	try "changes $n" presto generate tensors --count 1 --out "made$n" \
	    $(seq "$n" | sed 's/.*/--set=shape=2/')
done
