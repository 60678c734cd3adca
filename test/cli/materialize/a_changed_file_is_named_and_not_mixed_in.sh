mkdir data
find "$SMALL_PHOTOS" -name '*.jpg' | xargs cp -t data
cat >data/photos.conf <<'C'
[dataset]
source = folder
path = .
match = *.jpg

[pipeline]
decoded = jpeg_decode
C
codec=zstd:15 # slow enough to kill it midway
write() { # OUT OPTION...
	local out=$1
	shift
	presto materialize data/photos.conf --strategy decoded/tfrecord/$codec --shards 6 \
	    --shuffle no --threads 1 --out "$out" "$@" 2>&1 |
	    sed 's/[0-9-]* [0-9:.]* UTC/T/g; s/[0-9]* written in .*/N written/' | grep -v ' %: '
}
first=$(find data -name '*.jpg' | sort | head -1)
last=$(find data -name '*.jpg' | sort | tail -1)
presto materialize data/photos.conf --strategy decoded/tfrecord/$codec --shards 6 \
    --shuffle no --threads 1 --out out >/dev/null 2>&1 &
while [ ! -e out/shard-000001.index ]; do
	sleep 0.01
done
kill -KILL $!
wait $! 2>/dev/null || true
[ -e out/presto.manifest ] && echo "too fast: it was complete"
echo "-- a file whose sample is stored was exchanged"
cp -p "$first" kept.jpg
cp "$last" "$first"
write out
echo "-- the same bytes, written again"
cp -p kept.jpg "$first"
touch "$first"
write out
echo "-- one more, one less"
cp -p kept.jpg "$first"
cp kept.jpg data/a.jpg
write out
rm data/a.jpg
mv "$first" away.jpg
write out
mv away.jpg "$first"
echo "-- a file that is not stored yet"
touch "$last"
write out
touch "$first"
echo "-- complete"
write out
write out --set dataset.fingerprint=sizes
write out --check
cp -p kept.jpg "$first"
write out --check
echo "-- by contents"
codec=zstd:1
write contents --set dataset.fingerprint=contents
touch "$first"
write contents
cp -pr data copy
sed 's,path = .*,path = ../copy,' data/photos.conf >data/copy.conf
presto materialize data/copy.conf --strategy decoded/tfrecord/$codec --shards 6 --shuffle no \
    --threads 1 --out contents | sed 's/[0-9]* written in .*/N written/'
printf x | dd of="$first" bs=1 seek=900 conv=notrunc status=none
touch -r copy/"${first#data/}" "$first"
write contents --set dataset.fingerprint=contents
