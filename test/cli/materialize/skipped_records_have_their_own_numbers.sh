# Records can be read in order only, so windows of them are shuffled: whatever
# the order, the same records are named.
mkdir data
n=0
for photo in $(find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -12); do
	n=$((n + 1))
	cp "$photo" "data/img$((100 + n)).jpg"
	[ $((n % 4)) -ne 1 ] || truncate -s 200 "data/img$((100 + n)).jpg"
done
cat >files.conf <<'C'
[dataset]
source = folder
path = data
[pipeline]
kept = identity
C
presto materialize files.conf -s raw/tfrecord/none -o records --shuffle no \
	--shards 1 >/dev/null
cp -r records others
rm others/presto.manifest
cat >records.conf <<'C'
[dataset]
source = tfrecord
path = others
on_error = skip
[pipeline]
decoded = jpeg_decode
resized = resize size=32x32
C
write() {
	presto materialize records.conf -s resized/tar -o "$1" --shuffle "$2" \
		--skipped "$1.txt" 2>/dev/null | sed 's/, [0-9.]* [kM]*B, .*//'
}
write given no
write seven 7
cut -f 1 given.txt
diff given.txt seven.txt && echo same
