. "$here/photos"
copy_photos near 12
conf() { # PATH SOURCE
	printf '[dataset]\nsource = %s\npath = %s\n\n[pipeline]\ndecoded = jpeg_decode\n' "$2" "$1"
}
conf "$PWD/near" folder >near.conf
presto materialize near.conf --strategy raw/tar/none --shards 3 --shuffle 5 --out served/raw >/dev/null
conf "$PWD/served/raw/shard-{000000..000002}.tar" tar >local.conf
presto materialize local.conf --strategy decoded/tar/none --shards 2 --shuffle 7 --out local >/dev/null
cat >inside.sh <<'S'
set -eu
conf() { # PATH SOURCE
	printf '[dataset]\nsource = %s\npath = %s\n\n[pipeline]\ndecoded = jpeg_decode\n' "$2" "$1"
}
conf "$URL/raw/shard-{000000..000002}.tar" tar >far.conf
presto materialize far.conf --strategy decoded/tar/none --shards 2 --shuffle 7 --out far >/dev/null
diff -r -x README.md -x dataset.json -x presto.manifest -x presto.inventory local far &&
    echo "the same bytes"
echo "-- a stored dataset"
presto show "$URL/raw" | sed "s,$URL,URL,; /written:/d" | head -3
conf "$URL/raw" presto >stored.conf
presto materialize stored.conf --strategy decoded/tar/none --shards 1 --shuffle no --out again |
    sed 's/ as .*//'
presto snippet "$URL/raw" --for webdataset | grep '^shards = '
presto snippet "$URL/raw" --for dali 2>&1 | tr '\n' ' ' | sed 's/  */ /g'
echo
echo "-- nothing there"
conf "$URL/none.tar" tar >none.conf
presto profile none.conf 2>&1 | sed "s,$URL,URL,g" | tr '\n' ' ' | sed 's/  */ /g'
echo
conf "$URL/raw" folder >none.conf
presto show none.conf 2>&1 | sed "s,$URL,URL,g" | tr '\n' ' ' | sed 's/  */ /g'
echo
S
python3 "$here/../far/http_server.py" served bash inside.sh
