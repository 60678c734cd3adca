# Four processes at once, each a part; then --finish finds nothing to do.  Only
# the listing of presto.job is read by the parts that come later.
write() {
	presto materialize "$SMALL_PHOTOS/photos.conf" -s "resized/$1" \
	    --shuffle 7 --threads 1 "${@:2}"
}
for store in tar/none files/zstd npy/none tfrecord/gzip; do
	rm -rf whole parts
	write $store -o whole >/dev/null
	for i in 0 1 2 3; do
		write $store -o parts --part $i/4 >"out.$i" 2>"err.$i" &
	done
	wait
	cat out.* | grep -c 'part ./4: .*read back and checked'
	cat out.* | grep -c 'checked and joined from 4 parts'
	diff -r whole parts && echo "$store: the same"
done
presto materialize "$SMALL_PHOTOS/photos.conf" -o parts --finish |
    sed 's/already, .*/already/'
write tfrecord/gzip -o parts --part 2/4 | sed 's/already, .*/already/'
ls -A parts | grep -c 'presto.job\|presto.part' || true
