# It is read from front to back; what that means is told.
mkdir files
text=$(printf 'x%.0s' {1..100})
for i in {0001..0900}; do
	printf %s "$text" >files/"$i".bin
done
truncate -s 150000 files/*.bin
tar czf a.tar.gz --sort=name -C files .
cat >a.conf <<EOF
[dataset]
source = tar
path = a.tar.gz
[pipeline]
same = identity
EOF
presto materialize a.conf -s raw/tar -o a 2>err | sed 's/[0-9.]* [kM]*B, read.*//'
tar tf a/shard-000000.tar | sort | cmp -s - <(tar tf a/shard-000000.tar) || echo shuffled
[ "$(tar tf a/shard-000000.tar | sort -u | wc -l)" = 900 ] && echo "all are there"
tar tf a/shard-000000.tar | head -n 300 | sort | tail -n 1 | cut -c 1-2
grep -o 'shuffled within windows of about 4.. of 900' err
presto materialize a.conf -s raw/tar -o b --threads 4 >/dev/null
cmp a/shard-000000.tar b/shard-000000.tar && echo "the same bytes again"
grep shuffle a/presto.manifest
