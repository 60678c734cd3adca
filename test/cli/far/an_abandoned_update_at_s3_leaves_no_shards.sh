# Notes are names of objects there: what they name is removed, when the dataset
# is another one, and with it the notes.
mkdir -p store/bucket/in
. "$here/../far/s3.sh"
s3_start store
n=0
for name in $(find "$SMALL_PHOTOS" -name '*.jpg' | LC_ALL=C sort); do
	cp "$name" store/bucket/in/a_$((n++)).jpg
done
cat >photos.conf <<'C'
[dataset]
source = folder
path = s3://bucket/in

[pipeline]
decoded = jpeg_decode
small = resize size=8x8
C
update() {
	presto materialize photos.conf --out s3://bucket/out --update --threads 1 2>&1 |
	    sed 's/\(jpeg_decode\).*/\1.../; s/\(shards*\) in [0-9.]* [a-z]*,/\1 in T,/; /writing$/d' || true
}
presto materialize photos.conf -s small/files/none --shuffle 5 --shards 4 \
    --out s3://bucket/out >/dev/null
find store -type d -empty -delete
cp -r store/bucket/out first
for name in store/bucket/in/a_*.jpg; do
	cp "$name" "${name/a_/b_}"
done
head -c 300 store/bucket/in/a_0.jpg >store/bucket/in/c.jpg
update
ls store/bucket/out | grep -c 'shard-00000[4-9].index'
rm store/bucket/in/[bc]*
update
find store -type d -empty -delete
diff -r first store/bucket/out && echo "as it was"
