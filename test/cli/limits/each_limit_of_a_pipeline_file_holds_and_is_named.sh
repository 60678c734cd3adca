# Each row is tried at the limit, which must pass, and one above, which must be
# an error that names the limit.  Under AddressSanitizer this reads behind every
# array that is too small for its limit.
list() { # FORMAT COUNT SEPARATOR
	# shellcheck disable=SC2059
	seq "$2" | sed "s/.*/$1/" | paste -sd "$3"
}
bytes() { # COUNT
	head -c "$1" /dev/zero | tr '\0' x
}
try() { # ROW [OPTION]...
	local row=$1 status=0
	shift
	printf '[dataset]\nsource = synthetic\nshape = %s\ndtype = %s\ncount = 4\n' \
	    "$shape" "$dtype" >a.conf
	printf '[pipeline]\n%s\n' "$steps" >>a.conf
	[ -z "$pad_to" ] ||
	    { printf ';' && bytes $((pad_to - $(wc -c <a.conf))); } >>a.conf
	presto profile --dry-run --db a.db a.conf --split raw "$@" \
	    >out 2>err || status=$?
	echo "$row: $status"
	[ $status = 0 ] || cat err
}
each() { # WHAT LIMIT: sets `shape`, `dtype` and `steps`, or tries options
	local n
	for n in "$2" $(($2 + 1)); do
		shape=4x4x3 dtype=uint8 steps='same = identity' options=()
		pad_to=
		"$1" "$n"
		try "$1 $n" "${options[@]}"
	done
}
set_key() { # SECTION.KEY LIMIT...
	local key=$1 n
	shape=4 dtype=uint8 steps='same = identity' pad_to=
	shift
	for n in "$@"; do
		try "$key=$n" --set "$key=$n"
	done
}

steps() { steps=$(list 's&=identity' "$1" '\n'); }
name() { steps="$(bytes "$1") = identity"; }
line() { steps="a = identity field=data$(bytes $(($1 - 23)))"; }
file() { pad_to=$1; }
dimensions() { shape=$(list 1 "$1" x); }
threads() { options=(--threads "$(list '&' "$1" ,)"); }
codecs() {
	local all
	all=$(echo zstd:{1..19} gzip:{1..9} zlib:{1..9})
	options=(--codec "$(echo "$all" | cut -d ' ' -f "1-$1" | tr ' ' ,)")
}
word() { options=(--codec "$(bytes "$1")"); }
changes() {
	mapfile -t options < <(list --set=measure.runs=1 "$1" '\n')
}
after() { steps=$(printf '%s=identity\nb=identity after=%s' "$(bytes 32)" "$(bytes "$1")"); }
aggregate() {
	shape=2x20 dtype=float32
	steps="a = aggregate period=10 outputs=$(list rms "$1" ,)"
}

each steps 64
each name 32
each line 199
each file 1048576
each dimensions 8
each threads 32
each codecs 32
each word 63
each after 32
each changes 32
each aggregate 8
set_key load.threads 1024 1025
set_key load.batch 65536 65537
set_key load.fetchers 1024 1025
set_key load.read_ahead 65536 65537
set_key load.shuffle 1000000000 1000000001
set_key measure.epochs 10000 10001
set_key measure.runs 1000 1001
set_key strategies.shards 1000000 1000001
