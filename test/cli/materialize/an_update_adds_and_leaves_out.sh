# What was added and changed is stored in new shards, what was removed is left
# out; no file of the first version changes, and both versions can be read.
. "$here/photos"
cp -r "$SMALL_PHOTOS" data
rm data/*.conf
write_photos_conf data 'decoded = jpeg_decode' 'small = resize size=16x16'
keys() { # DIR VERSION
	local at=()
	[ "$2" = newest ] || at=(--at "$2")
	printf '[dataset]\nsource = presto\npath = %s\n[pipeline]\nsame = identity\n' \
	    "$1" >read.conf
	rm -rf keys
	presto materialize read.conf -s raw/files/none --shuffle no --shards 1 \
	    "${at[@]}" --out keys >/dev/null
	(cd keys/shard-000000 && find . -type f | sed 's,^\./,,; s,\.npy$,,' | LC_ALL=C sort)
}
for store in files npy tar tfrecord; do
	presto materialize photos.conf -s small/$store/none --shuffle 5 --shards 3 \
	    --out $store >/dev/null
done
find data -name '*.jpg' | LC_ALL=C sort >list
(cd data && find . -name '*.jpg' | sed 's,^\./,,; s,\.jpg$,,' | LC_ALL=C sort) >keys.1
first=$(sed -n 1p list) second=$(sed -n 2p list) third=$(sed -n 9p list)
cp "$second" data/zz_new.jpg
cp "$third" "$first"
rm "$second"
(cd data && find . -name '*.jpg' | sed 's,^\./,,; s,\.jpg$,,' | LC_ALL=C sort) >keys.2
for store in files npy tar tfrecord; do
	echo "-- $store"
	find $store -type f ! -name presto.manifest ! -name README.md -print0 |
	    xargs -0 sha256sum >sums
	update $store
	sha256sum --quiet -c sums && echo "the first version has its bytes"
	keys $store newest | cmp - keys.2 && echo "the second has the new keys"
	keys $store 1 | cmp - keys.1 && echo "the first can be read"
	update $store
done
cp data/zz_new.jpg data/zz_newer.jpg
echo "-- a third version"
presto materialize photos.conf --out tar --update --dry-run
update tar
keys tar 2 | cmp - keys.2 && echo "the second can be read"
presto show tar | sed -n '/^version/,/^left/p' | sed 's/, [0-9-]*T[0-9:]*Z/, TIME/'
ls tar | sed -n '/presto\|json/p'
presto materialize photos.conf --out tar --update --check
