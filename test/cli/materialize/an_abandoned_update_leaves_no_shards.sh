# An update failed at its last shard, or as it wrote the version, and the dataset
# is another one by now: what it made is removed, and nothing else.
. "$here/photos"
copy_photos photographs
mkdir data
n=0
for name in photographs/*; do
	mv "$name" data/a_$((n++)).jpg
done
write_photos_conf data 'decoded = jpeg_decode' 'small = resize size=8x8'
grow() { # the last one of them cannot be decoded
	for name in data/a_*.jpg; do
		cp "$name" "data/b_${name#data/a_}"
	done
	head -c 300 data/a_0.jpg >data/c.jpg
}
for store in tar files npy; do
	echo "-- $store"
	rm -rf out first data/[bc]*
	presto materialize photos.conf -s small/$store/none --shuffle 5 \
	    --shards 4 --out out >/dev/null
	touch out/shard-000042.mine
	cp -r out first
	grow
	update out --threads 1 | sed 's/\(jpeg_decode\).*/\1.../'
	ls out | grep -c 'shard-00000[4-9].index'
	rm data/b_*
	mv data/c.jpg kept
	update out --threads 1
	diff -r first out && echo "as it was"
	mv kept data/c.jpg
	grow
	update out --threads 1 >/dev/null
	rm data/c.jpg data/b_1*
	update out --threads 1
	ls out | grep 'shard-00000[4-9].index'
done
echo "-- the version"
rm -rf first data/b_*
update out --threads 1 >/dev/null
cp -r out first
cp data/a_1.jpg data/b.jpg
mkdir out/dataset-4.json
update out --threads 1 | sed 's/dataset-4.json.*/dataset-4.json.../'
ls out | grep -c 'presto-3.manifest\|presto-4.inventory'
rmdir out/dataset-4.json
rm data/b.jpg
update out --threads 1
diff -r first out && echo "as it was"
