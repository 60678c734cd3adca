. "$here/../far/s3.sh"
mkdir -p store/photos/in
find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -6 | xargs cp -t store/photos/in
s3_start store
printf '[dataset]\nsource = folder\npath = s3://photos/in\n\n[pipeline]\nsame = identity\n' >far.conf
presto materialize far.conf --strategy raw/tar/none --shards 2 --out s3://photos/out |
    sed 's/, [0-9.]* [kM]*B,/, N,/; s/; .*//'
cp store/photos/out/shard-00000?.tar .
find "$SMALL_PHOTOS" -name '*.jpg' | sort | sed -n 10p | xargs cp -t store/photos/in
presto materialize far.conf --out s3://photos/out --update | sed 's/ in [0-9.]* [mu]*s,/ in T,/'
for shard in shard-00000?.tar; do
	cmp "$shard" "store/photos/out/$shard" && echo "$shard stays"
done
presto show s3://photos/out | grep '^shards:' -A 2
