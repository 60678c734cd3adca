cat >slow.conf <<'C'
[dataset]
source = synthetic
shape = 65536
count = 36

[pipeline]
same = identity
C
materialize() { # what follows is killed: no function may stand in between
	presto materialize slow.conf --strategy same/tfrecord/zstd:19 --shards 6 "$@"
}
materialize --out whole --threads 2 >/dev/null
presto materialize slow.conf --strategy same/tfrecord/zstd:19 --shards 6 \
    --out torn --threads 1 >/dev/null 2>&1 &
while [ ! -e torn/shard-000001.tfrecord.zst ]; do
	sleep 0.01
done
kill -KILL $!
wait $! 2>/dev/null || true
[ -e torn/presto.manifest ] && echo "too fast: it was complete"
materialize --out torn >/dev/null
diff -r whole torn && echo same
rm torn/shard-000003.*
materialize --out torn >/dev/null
diff -r whole torn && echo mended
