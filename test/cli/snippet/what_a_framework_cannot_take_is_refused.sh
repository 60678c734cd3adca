materialize() {
	presto materialize "$SMALL_PHOTOS/photos.conf" -s "$1" -o "$2" --shards 1 >/dev/null 2>&1
}
materialize resized/tar/delta+zstd:1 filtered
materialize resized/tar/gzip:6 packed
presto snippet filtered --for webdataset || echo "exit $?"
presto snippet packed --for dali || echo "exit $?"
presto snippet packed --for webdatset || echo "exit $?"
presto snippet packed || echo "exit $?"
presto snippet . --for numpy || echo "exit $?"
