# Tar shards are read over HTTP: the bytes that are made of them are those of a
# local disk, also while answers fail in every way that can be tried again.
root=$(realpath "$(dirname "$0")/../../..")
serve() {
	python3 "$root/test/far/http_server.py" "$@"
}
write_conf() { # NAME SOURCE PATH
	cat >"$1.conf" <<C
[dataset]
source = $2
path = $3
${4:-}

[pipeline]
decoded = jpeg_decode
resized = resize shorter=64
cropped = random_crop size=56
C
}
sums() {
	(cd "$1" && sha256sum -- *.tar)
}
made() { # NAME
	presto materialize "$1.conf" --strategy resized/tar/none --shuffle no --out "$1" >/dev/null
}
write_conf raw folder "$SMALL_PHOTOS" "match = *.jpg"
presto materialize raw.conf --strategy raw/tar/none --shuffle no --shards 3 --out packed >/dev/null
count=$(find packed -name '*.tar' | wc -l)
write_conf near tar "packed/shard-{000000..00000$((count - 1))}.tar"
made near
export -f made write_conf
export count
far='write_conf $0 tar "$URL/packed/shard-{000000..00000$((count - 1))}.tar"; made $0'
check() { # NAME OPTION...
	local name=$1
	shift
	serve "$@" . bash -euc "$far" "$name" && diff <(sums near) <(sums "$name") && echo "$name"
}
check plain
check weak --etag weak
check nothing_to_compare --etag none
check no_ranges --no-ranges
check no_listing --missing 403
check failing --fault s503=3 --fault reset=4 --fault cut=5 --fault drop=7
check lying --fault longer=6 --fault shifted=7 --fault vague=8 --fault whole=9
check random --rate 0.3 --seed 4
# A second epoch of a profile reads far again.
write_conf twice tar URL
serve --log log . bash -euc 'sed -i "s,URL,$URL/packed/shard-000000.tar," twice.conf
presto profile twice.conf --split resized --store tar --codec none --threads 2 --runs 1 \
    --cache none,system --set measure.min_run_time=0 --set measure.probe=no --db far.db \
    >table 2>err' || cat err
presto report --db far.db --csv | cut -d, -f4,11,12,30 | sort
awk '$4 != 206 && $4 != 200 && $4 != 404' log
