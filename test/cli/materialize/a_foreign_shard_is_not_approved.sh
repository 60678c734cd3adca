# A shard of another pipeline, copied in with all that is beside it, agrees with
# itself; the manifest knows better.
cat >same.conf <<'C'
[dataset]
source = synthetic
shape = 16x16x3
fill = ramp
count = 40

[pipeline]
same = identity
C
sed 's/identity/vflip chance=1/' same.conf >other.conf
cat >again.conf <<'C'
[dataset]
source = presto
path = data

[pipeline]
read = identity
C
for store in files npy tar tfrecord; do
	echo "$store:"
	rm -rf data whole other
	presto materialize same.conf --strategy same/$store --shards 3 --out data >/dev/null 2>&1
	presto materialize other.conf --strategy same/$store --shards 3 --out other >/dev/null 2>&1
	cp -r data whole
	rm -rf data/shard-000001*
	cp -r other/shard-000001* data
	presto show again.conf 2>&1 >/dev/null || true
	presto materialize same.conf --strategy same/$store --shards 3 --out data --check 2>&1 |
		sed -n 's/says [0-9a-f]*/says N/; s/is [0-9a-f]*,/is N,/; /warning/p'
	diff -r whole data && echo mended
done
echo 'what others read:'
rm -rf data
presto materialize same.conf --strategy same/tar --shards 3 --out data >/dev/null 2>&1
cp -r data whole2
echo more >>data/shard-000002.idx
rm data/shardindex.json
echo mine >data/mine.txt
echo '# my words' >data/README.md
presto materialize same.conf --strategy same/tar --shards 3 --out data --check 2>&1 | grep warning
diff -rq whole2 data
echo 'a manifest that was edited:'
sed -i 's/^samples = 40/samples = 41/' data/presto.manifest
presto materialize same.conf --strategy same/tar --shards 3 --out data --check
