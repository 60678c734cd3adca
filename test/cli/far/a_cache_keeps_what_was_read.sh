# With storage.cache, what was read of a server is kept: the next run asks only
# whether it has changed.  A damaged part is read again, and so is a new version;
# a folder of somebody else is left alone.
root=$(realpath "$(dirname "$0")/../../..")
write_conf() { # NAME SOURCE PATH MORE
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
write_conf raw folder "$SMALL_PHOTOS" "match = *.jpg"
presto materialize raw.conf --strategy raw/tar/none --shuffle no --shards 2 --out packed >/dev/null
cp packed/shard-000000.tar one.tar
write_conf far tar '$URL/one.tar' '
[storage]
cache = kept here size=100MB'
cat >run.sh <<'R'
run() { # NAME
	sed "s,\$URL,$URL," far.conf >now.conf
	: >log
	presto materialize now.conf --strategy resized/tar/none --shuffle no --out "$1" >/dev/null || return
	(cd "$1" && sha256sum -- *.tar) >"$1.sums"
	echo "$1: $(grep -c ^GET log || true) GET"
}
parts() {
	find 'kept here/presto-cache' -name '*-*-*' -size +4k
}
run first
run second
part=$(parts)
printf 'x' | dd of="$part" bs=1 seek=1000 conv=notrunc status=none
run damaged
cmp first.sums second.sums && cmp first.sums damaged.sums && echo same
cp packed/shard-000001.tar one.tar
run changed
cmp -s first.sums changed.sums || echo other
rm -r 'kept here'
mkdir -p 'kept here/presto-cache'
echo mine >'kept here/presto-cache/CACHEDIR.TAG'
run foreign || find 'kept here' | sort
R
python3 "$root/test/far/http_server.py" --log log . bash -eu run.sh 2>err || true
sed -n 's/.*presto: http:.*one.tar: /refused: /p' err
