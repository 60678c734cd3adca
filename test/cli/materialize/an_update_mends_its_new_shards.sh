# A new shard was damaged between two tries of the same update: it is written
# again, and the version has the bytes of one that went well.
. "$here/photos"
copy_photos data
write_photos_conf data 'decoded = jpeg_decode' 'small = resize size=16x16'
for store in tar files npy; do
	find data -name 'new_*' -delete
	rm -rf out whole
	presto materialize photos.conf -s small/$store/none --shuffle 3 \
	    --shards 4 --out out >/dev/null
	for name in $(find data -name '*.jpg' | LC_ALL=C sort | head -12); do
		cp "$name" "data/new_${name#data/}"
	done
	cp -r out whole
	presto materialize photos.conf --out whole --update >/dev/null
	mkdir out/dataset-2.json # so that it cannot write the version
	presto materialize photos.conf --out out --update >/dev/null 2>&1 ||
	    echo "$store: status $?"
	rmdir out/dataset-2.json
	damaged=$(find out -path '*shard-000005*' -type f ! -name '*.i*' |
	    LC_ALL=C sort | head -n 1)
	size=$(stat -c %s "$damaged")
	printf '\125\252\125\252' |
	    dd of="$damaged" bs=1 seek=$((size / 2)) conv=notrunc status=none
	update out
	(cd whole && find . -path '*shard-*' -type f -exec cmp {} ../out/{} \;)
	presto materialize photos.conf --out out --update --check
done
