# A file that was removed and is there again is stored in a shard of its own,
# though an earlier shard has the same samples.
mkdir data
find "$SMALL_PHOTOS" -name '*.jpg' -exec cp {} data \;
names=(data/*.jpg)
rm "${names[@]:3}"
cat >photos.conf <<'C'
[dataset]
source = folder
path = data
match = *.jpg

[pipeline]
decoded = jpeg_decode
small = resize size=8x8
C
update() {
	presto materialize photos.conf --out out --update |
	    sed 's/\(shards*\) in [0-9.]* [a-z]*,/\1 in T,/'
}
presto materialize photos.conf -s small/files/none --shuffle 5 --shards 3 \
    --out out >/dev/null
for name in "${names[@]:0:3}"; do
	mv "$name" kept.jpg
	update | head -n 1
	mv kept.jpg "$name"
	update
done
presto materialize photos.conf --out out --update --check
