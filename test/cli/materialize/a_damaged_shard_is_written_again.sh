cat >same.conf <<'C'
[dataset]
source = synthetic
shape = 16x16x3
count = 40

[pipeline]
same = identity
C
materialize() {
	presto materialize same.conf --strategy same/tar --shards 4 --out data "$@"
}
damage() {
	printf X | dd of=data/shard-000002.tar bs=1 seek=900 conv=notrunc 2>/dev/null
}
materialize >/dev/null
cp -r data whole
damage
materialize | sed 's/, [0-9.]* .B//'
materialize --check 2>&1 | grep -v writing | sed 's/, [0-9.]* .B//; s/ in [0-9.]* .*s$//'
diff -r whole data && echo same
damage
rm data/shard-000001.tar
materialize 2>&1 | grep warning
diff -r whole data && echo same
# Its own, but not this.
presto materialize same.conf --strategy same/tar --shards 2 --out data
