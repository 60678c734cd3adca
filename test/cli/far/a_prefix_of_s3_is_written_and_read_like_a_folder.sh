. "$here/../far/s3.sh"
. "$here/photos"
copy_photos near 12
mkdir -p store/photos/in
cp near/*.jpg store/photos/in
s3_start store
conf() { # PATH
	cat <<-C
		[dataset]
		source = folder
		path = $1

		[pipeline]
		decoded = jpeg_decode
		resized = resize size=32
		cropped = random_crop size=28
	C
}
conf "$PWD/near" >near.conf
conf s3://photos/in >far.conf
# What the folder is made of lies elsewhere, and has versions in place of times.
same() { # DIR DIR
	diff -r -x README.md -x dataset.json -x presto.manifest -x presto.inventory -x presto.finished \
	    "$1" "$2"
}
echo "-- show"
presto show far.conf | sed 's/^far.conf: //' >far.txt
presto show near.conf | sed 's,^near.conf: ,,; s,/.*/near,s3://photos/in,' | diff - far.txt || true
for strategy in raw/tar/none decoded/tfrecord/gzip resized/npy/none resized/npy/zstd:1 \
    resized/files/none raw/mds/none raw/parquet/none; do
	name=$(echo $strategy | tr /: __)
	echo "-- $strategy"
	presto materialize near.conf --strategy $strategy --shards 3 --shuffle 7 \
	    --out "near-$name" >/dev/null
	presto materialize far.conf --strategy $strategy --shards 3 --shuffle 7 \
	    --out "from-$name" >/dev/null
	same "near-$name" "from-$name" && echo "the same bytes from S3"
	presto materialize near.conf --strategy $strategy --shards 3 --shuffle 7 \
	    --out "s3://photos/out/$name" >/dev/null
	same "near-$name" "store/photos/out/$name" && echo "the same bytes at S3"
	presto materialize near.conf --strategy $strategy --shards 3 --shuffle 7 \
	    --out "s3://photos/out/$name" --check | sed 's/, [0-9.]* [kM]*B,/, N,/'
	presto show "s3://photos/out/$name" | grep -v 'written:' | sed 's/s3:[^ :]*/DIR/' |
	    diff - <(presto show "near-$name" | grep -v 'written:' | sed "s/near-$name/DIR/")
	printf '[dataset]\nsource = presto\npath = s3://photos/out/%s\n[pipeline]\nsame = identity\n' \
	    "$name" >stored.conf
	presto materialize stored.conf --strategy raw/tar/none --shards 1 --shuffle no \
	    --out "again-$name" | sed 's/ sample.*//; s/.*: //'
done
echo "-- a program"
presto snippet s3://photos/out/raw_tar_none --for webdataset | grep -A 2 '^FOLDER\|pipe:'
ls store/.store | grep -c upload || true
grep -rl word-of-the-test --exclude-dir=store . || echo "the secret is nowhere"
