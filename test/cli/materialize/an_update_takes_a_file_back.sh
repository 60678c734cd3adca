# A file that was removed and is there again is stored in a shard of its own,
# though an earlier shard has the same samples.
. "$here/photos"
copy_photos data 3
names=(data/*.jpg)
write_photos_conf data 'decoded = jpeg_decode' 'small = resize size=8x8'
presto materialize photos.conf -s small/files/none --shuffle 5 --shards 3 \
    --out out >/dev/null
for name in "${names[@]}"; do
	mv "$name" kept.jpg
	update out | head -n 1
	mv kept.jpg "$name"
	update out
done
presto materialize photos.conf --out out --update --check
