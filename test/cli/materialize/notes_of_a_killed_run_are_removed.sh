# A run that was killed when the manifest was there leaves presto.partial and
# presto.finished; the next one takes both away.
write() {
	presto materialize "$SMALL_PHOTOS/photos.conf" -s resized/tar/none \
	    --shards 2 --set pipeline.resized='resize size=16x16' \
	    --set pipeline.cropped='random_crop size=8' -o out 2>/dev/null
}
write >/dev/null
fingerprint=$(sed -n 's/^fingerprint = //p' out/presto.manifest)
echo "$fingerprint" >out/presto.partial
echo "presto finished $fingerprint" >out/presto.finished
write | sed 's/, [0-9.]* kB.*//'
cd out && ls -A presto.*
