# An object store has no locks: the claim of a process that was killed while it
# joined the parts stays.  A part that is run again takes it over.
mkdir -p store/bucket
. "$here/../far/s3.sh"
s3_start store
how=("$SMALL_PHOTOS/photos.conf" -s resized/tar/none --shuffle 7 --shards 4
    --threads 1)
part() { # PLACE PART
	presto materialize "${how[@]}" -o "s3://bucket/$1" --part "$2/2" 2>err |
	    sed 's/, read back.*//; s/[:,] [0-9].*//'
	grep -o 'another part is joining' err || true
}
# Two halves, of which neither was joined, and the claim of a third process.
begin() {
	rm -rf store/bucket/one store/bucket/other
	part one 0
	part other 1 >/dev/null
	cp -r store/bucket/other/shard-* store/bucket/other/presto.part* \
	    store/bucket/one
	echo host-of-the-dead >store/bucket/one/presto.partial
}
end() {
	find store -type d -empty -delete
	diff -r store/bucket/whole store/bucket/one && echo same
}
presto materialize "${how[@]}" -o s3://bucket/whole >/dev/null
echo "-- a part again"
begin
part one 1
end
echo "-- a part that was damaged before, and removed by the join"
begin
rm store/bucket/one/presto.part-000001
part one 1
end
echo "-- killed when it had written the manifest"
begin
cp -r store/bucket/one begun
part one 0
cp -r begun/presto.* store/bucket/one
part one 0
end
