# No lock, no rename and nothing to append to: two parts at once, one killed
# before, one that is made twice at once; the objects are those of one machine.
mkdir -p store/bucket
. "$here/../far/s3.sh"
s3_start store --control control
how=("$SMALL_PHOTOS/photos.conf" -s resized/tar/none --shuffle 7 --shards 4
    --threads 1)
presto materialize "${how[@]}" -o s3://bucket/whole >/dev/null
echo "delay 250" >control # so that it cannot end before it is killed
presto materialize "${how[@]}" -o s3://bucket/parts --part 0/2 >/dev/null 2>&1 &
while [ ! -e store/bucket/parts/presto.job ]; do
	sleep 0.01
done
kill -KILL $!
wait $! 2>/dev/null || true
rm control
presto materialize "$SMALL_PHOTOS/photos.conf" -o s3://bucket/parts --finish \
    >/dev/null 2>&1 || echo "not complete: status $?"
for part in 0 1 1; do
	presto materialize "${how[@]}" -o s3://bucket/parts --part $part/2 \
	    >>out 2>>err &
	parts+=($!)
done
wait "${parts[@]}"
presto materialize "$SMALL_PHOTOS/photos.conf" -o s3://bucket/parts --finish |
    sed 's/: .*//'
find store -type d -empty -delete
diff -r store/bucket/whole store/bucket/parts && echo same
