# README.md is written behind the manifest: what an update leaves that is killed
# between them is the README.md of the version before, and the next update writes
# the one that the manifest lists.  One that somebody has edited stays.
. "$here/photos"
copy_photos data
write_photos_conf data 'same = identity'
first=$(find data -name '*.jpg' | LC_ALL=C sort | head -1)
update() {
	presto materialize photos.conf --out out --update 2>/dev/null |
	    sed 's/ in [0-9.]* [mu]*s,/ in T,/'
}
killed() { # README: the state between the two writes
	cp "$1" out/README.md
	echo "update $(sed -n 's/^fingerprint = //p' out/presto.manifest)" >out/presto.partial
}
presto materialize photos.conf -s raw/tar/none --shards 2 --out out >/dev/null
cp out/README.md one.md
cp "$first" data/new.jpg
update
[ out/presto.manifest -nt out/README.md ] && echo "the manifest is newer"
cp out/README.md two.md
echo "-- nothing is left to be stored"
killed one.md
update
cmp two.md out/README.md
echo "-- the dataset has grown again"
killed one.md
cp "$first" data/newer.jpg
update
grep '^| 3 ' out/README.md | cut -d '|' -f 4-
echo "-- somebody has edited it"
echo mine >mine.md
killed mine.md
update
cmp mine.md out/README.md
