# A dataset by braces or a pattern is known by the folder that it is in.
cat >made.conf <<'C'
[dataset]
source = synthetic
shape  = 16x16x3
count  = 20

[pipeline]
same = identity
C
presto materialize made.conf --strategy raw/tar/none --shards 2 --out data \
    >/dev/null 2>&1
cat >list.conf <<'C'
[dataset]
source = tar
path   = data/shard-{000000..000001}.tar

[pipeline]
same = identity

[measure]
min_run_time = 0
runs = 1
probe = no
C
for path in 'data/shard-{000000..000001}.tar' 'data/shard-*.tar' data; do
	presto profile --db list.db --split raw --cache system --threads 1 \
	    --set "dataset.path=$path" list.conf >/dev/null 2>&1
	presto report --db list.db --json | grep -o '"dataset": "[^"]*"' |
	    sed "s|\"$PWD/|\"|"
done
