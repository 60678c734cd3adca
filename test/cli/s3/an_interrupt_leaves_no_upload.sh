. "$here/../far/s3.sh"
mkdir -p store/out
s3_start store --control faults
cat >bytes.conf <<'C'
[dataset]
source = synthetic
shape = 1000000
count = 40
[pipeline]
same = identity
C
# An answer takes a while: the signal comes while parts are under way.
echo 'delay 100' >faults
presto materialize bytes.conf --strategy raw/tar/none --shuffle no --shards 1 \
    --out s3://out/data >/dev/null 2>&1 &
presto=$!
while ! ls store/.store/upload-*/notes >/dev/null 2>&1; do
	sleep 0.02
done
kill -TERM $presto
status=0
wait $presto || status=$?
echo "status $status"
find store/.store -name 'upload-*'
find store/out -name '*.tar' -o -name presto.manifest
rm faults
presto materialize bytes.conf --strategy raw/tar/none --shuffle no --shards 1 \
    --out s3://out/data >/dev/null 2>&1
presto materialize bytes.conf --strategy raw/tar/none --shuffle no --shards 1 \
    --out local >/dev/null 2>&1
cmp store/out/data/shard-000000.tar local/shard-000000.tar && echo 'the same bytes'
find store/.store -name 'upload-*'
