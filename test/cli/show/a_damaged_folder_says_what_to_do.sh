cat >same.conf <<'C'
[dataset]
source = synthetic
shape = 16x16x3
count = 40

[pipeline]
same = identity
C
cat >again.conf <<'C'
[dataset]
source = presto
path = data

[pipeline]
same = identity
C
materialize() {
	presto materialize same.conf --strategy same/npy --shards 4 --out data >/dev/null 2>&1
}
look() {
	{
		presto show data 2>&1 >/dev/null || true
		presto snippet data --for numpy 2>&1 >/dev/null || true
		presto show again.conf 2>&1 >/dev/null || true
	} | sed 's/manifest says [0-9]*/manifest says N/'
}
materialize
cp -r data whole
echo 'a shard is missing:'
rm data/shard-000002.npy
look
materialize
echo 'two are cut:'
truncate -s 100 data/shard-000001.npy
truncate -s 100 data/shard-000003.npy
look
materialize
diff -r whole data && echo mended
echo 'the description is cut:'
echo '{' >data/dataset.json
look
materialize
diff -r whole data && echo mended
echo 'the manifest is missing:'
rm data/presto.manifest
look
