# What is stored again of it is the same, byte by byte.
cat >same.conf <<'C'
[dataset]
source = presto
path = data

[pipeline]
same = identity
C
conf=$SMALL_PHOTOS/photos.conf
unpack() { # FOLDER: its samples, all of them, as files in FOLDER.files
	mkdir "$1.files"
	for shard in "$1"/*.tar; do
		tar -xf "$shard" -C "$1.files"
	done
}
presto materialize "$conf" --strategy resized/tar/none --out truth >truth.txt
unpack truth
find truth.files -name '*.npy' | wc -l
for strategy in resized/tar/delta+gzip resized/tfrecord/png resized/files/lz4; do
	presto materialize "$conf" --strategy $strategy --out data >data.txt
	presto materialize same.conf --strategy raw/tar/none --out again >again.txt
	unpack again
	diff -r again.files truth.files && echo "$strategy: same"
	rm -r data again again.files
done
# Photographs are photographs again, and go through the same steps.
presto materialize "$conf" --strategy raw/tfrecord/zstd:1 --out data >data.txt
sed '/^\[dataset\]/,/^\[pipeline\]/ { /^[a-z]/d; s/^\[dataset\]/&\nsource = presto\npath = data/ }' \
    "$conf" >photos.conf
presto materialize photos.conf --strategy resized/tar/none --out again >again.txt
unpack again
diff -r again.files truth.files && echo "raw/tfrecord/zstd:1: same"
