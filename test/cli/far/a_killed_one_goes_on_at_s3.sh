. "$here/../far/s3.sh"
. "$here/photos"
copy_photos near
mkdir -p store/photos
s3_start store --control control
write_photos_conf near 'decoded = jpeg_decode'
how=(--strategy decoded/tfrecord/zstd:15 --shards 6 --shuffle no --threads 1)
presto materialize photos.conf "${how[@]}" --out near-out >/dev/null 2>&1
echo "delay 250" >control # so that it cannot end before it is killed
presto materialize photos.conf "${how[@]}" --out s3://photos/out >/dev/null 2>&1 &
while [ ! -e store/photos/out/shard-000001.index ]; do
	sleep 0.01
done
kill -KILL $!
wait $! 2>/dev/null || true
rm control
[ -e store/photos/out/presto.manifest ] && echo "too fast: it was complete"
[ -s store/photos/out/presto.partial ] && echo "begun"
first=$(stat -c %Y%y store/photos/out/shard-000000.tfrecord.zst)
echo "-- other work is refused"
presto materialize photos.conf --strategy decoded/tar/none --out s3://photos/out 2>&1 |
    sed 's/: .*was begun here/: ... was begun here/' || true
echo "-- the same goes on"
presto materialize photos.conf "${how[@]}" --out s3://photos/out 2>/dev/null |
    sed 's/, [0-9.]* [kM]*B,/, N,/; s/; .*//'
[ "$first" = "$(stat -c %Y%y store/photos/out/shard-000000.tfrecord.zst)" ] &&
    echo "the first shard was kept"
diff -r -x dataset.json -x presto.manifest -x presto.finished near-out store/photos/out && echo "the same bytes"
find store/photos -name 'presto.p*' -o -path '*finished*' -type f
find store/.store -name 'upload-*'
