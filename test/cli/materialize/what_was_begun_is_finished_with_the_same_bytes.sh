write() {
	presto materialize "$PHOTOS/photos.conf" --strategy decoded/tfrecord/zstd:3 --shards 6 "$@"
}
write --out whole --threads 2 >/dev/null
presto materialize "$PHOTOS/photos.conf" --strategy decoded/tfrecord/zstd:3 --shards 6 \
    --out torn --threads 1 --set storage.latency=50ms >/dev/null 2>&1 &
while [ "$(find torn -name '*.tfrecord*' ! -name '*.tmp' 2>/dev/null | wc -l)" -lt 2 ]; do
	sleep 0.02
done
kill -KILL $!
wait $! 2>/dev/null || true
[ -e torn/presto.manifest ] && echo "too fast: it was complete"
write --out torn >/dev/null
diff -r whole torn && echo same
