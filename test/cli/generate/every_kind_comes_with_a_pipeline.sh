# What all kinds have in common, without their options and with.
kinds=$(presto generate -h | sed -nE '/^KINDs:/,$s/^  ([a-z]+) .*/\1/p')

try() { # KIND COUNT [OPTIONS]
	kind=$1
	count=$2
	shift 2
	rm -rf a b
	presto generate "$kind" --count "$count" --threads 1 --out a "$@"
	presto generate "$kind" --count "$count" --threads 3 --out b "$@" \
	    >/dev/null
	diff -r a b && echo "  the same with 3 threads"
	presto generate "$kind" --out a 2>&1 | grep -o 'a is not empty' ||
		echo "  a folder with something in it is not refused"
	sed 1q "a/$kind.conf" | grep -q "^# $kind.conf - " ||
		echo "  $kind.conf does not say what it is"
	# What made it makes it again.
	made=$(sed -n 's/^#  *\(presto generate\)/\1/p' "a/$kind.conf")
	rm -rf b
	eval "$made --out b" >/dev/null
	diff -r a b && echo "  the same from: $made"
	presto show "a/$kind.conf" | sed -n 's/^splits: /  splits: /p'
	presto profile "a/$kind.conf" --samples 20 --runs 1 --split raw \
	    --store tar --codec none --cache system --epochs 1 \
	    --set measure.min_run_time=0 "${how[@]}" --db "$kind.db" >report 2>&1 &&
		grep -q '^recommended: ' report && echo "  profiled"
}

for kind in $kinds; do
	presto generate "$kind" --set nonsense=1 --out c 2>&1 && exit 1
	[ ! -e c ]
done
how=()
try articles 3
# A large graph, of which few neighbours do.
how=(--set pipeline.sampled='neighbor_sample fanout=3,2')
try graph 1
how=()
try graph 2 --set edges=2000 --set nodes=100 --set dim=8
try photos 4
try photos 3 --set format=png --set width=300
try photos 3 --set format=png16 --set width=300
try photos 3 --set width=1100
try signals 2 --set minutes=1
try speech 3
try speech 3 --set format=mp3
try tensors 3
try tensors 3 --set dtype=float32 --set shape=10x10 --set fill=ramp
