# No lock, no rename and nothing to append to: two parts at once, one killed
# before, one that is made twice at once; the objects are those of one machine.
mkdir -p store/bucket
python3 "$here/../far/s3_server.py" store --keys key:secret >address &
server=$!
trap 'kill $server' EXIT
for _ in {1..400}; do
	[ ! -s address ] || break
	sleep 0.05
done
AWS_ENDPOINT_URL=$(cat address)
export AWS_ENDPOINT_URL AWS_ACCESS_KEY_ID=key AWS_SECRET_ACCESS_KEY=secret
export AWS_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true
write() {
	presto materialize "$SMALL_PHOTOS/photos.conf" -s resized/tar/none \
	    --shuffle 7 --shards 4 --threads 1 "$@"
}
write -o s3://bucket/whole >/dev/null
write -o s3://bucket/parts --part 0/2 >/dev/null 2>&1 &
sleep 0.2
kill -KILL $!
wait $! 2>/dev/null || true
presto materialize "$SMALL_PHOTOS/photos.conf" -o s3://bucket/parts --finish \
    >/dev/null 2>&1 || echo "not complete: status $?"
for part in 0 1 1; do
	write -o s3://bucket/parts --part $part/2 >>out 2>>err &
	parts+=($!)
done
wait "${parts[@]}"
presto materialize "$SMALL_PHOTOS/photos.conf" -o s3://bucket/parts --finish |
    sed 's/: .*//'
find store -type d -empty -delete
diff -r store/bucket/whole store/bucket/parts && echo same
