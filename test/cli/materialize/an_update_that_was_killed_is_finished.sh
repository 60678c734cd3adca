# The old version stays whole, and the next update writes the same bytes as one
# that was never killed.
. "$here/photos"
copy_photos data
write_photos_conf data 'decoded = jpeg_decode'
presto materialize photos.conf -s decoded/tfrecord/zstd:15 --shuffle 5 --shards 4 \
    --threads 1 --out out >/dev/null
cp -r out first
cp -r out whole
for name in $(find data -name '*.jpg'); do
	cp "$name" "${name%.jpg}_again.jpg"
done
presto materialize photos.conf --out whole --update --threads 1 >/dev/null
for _ in {1..20}; do # until one is killed before it is complete
	rm -rf out
	cp -r first out
	presto materialize photos.conf --out out --update --threads 1 >/dev/null 2>&1 &
	while [ ! -e out/shard-000004.index ]; do
		sleep 0.01
	done
	kill -KILL $! 2>/dev/null || true
	wait $! 2>/dev/null || true
	grep -q versions out/presto.manifest || break
done
presto show out | sed -n '1s/, [0-9.]* [kM]B//p'
presto materialize photos.conf -s decoded/tfrecord/zstd:15 --shuffle 5 --out out 2>&1 ||
    echo "status $?"
update out --threads 1 | sed 's/^[0-9]* samples* written/N samples written/'
for file in whole/*; do
	case $file in
	*.manifest | *.json | *.md | *.inventory) ;;
	*) cmp "$file" "out/${file#whole/}" ;;
	esac
done
ls -A out | grep -v shard
