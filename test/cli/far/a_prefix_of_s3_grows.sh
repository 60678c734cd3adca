. "$here/../far/s3.sh"
. "$here/photos"
copy_photos store/photos/in 6
s3_start store
write_photos_conf s3://photos/in 'same = identity'
presto materialize photos.conf --strategy raw/tar/none --shards 2 --out s3://photos/out |
    sed 's/, [0-9.]* [kM]*B,/, N,/; s/; .*//'
cp store/photos/out/shard-00000?.tar .
find "$SMALL_PHOTOS" -name '*.jpg' | sort | sed -n 10p | xargs cp -t store/photos/in
update s3://photos/out
for shard in shard-00000?.tar; do
	cmp "$shard" "store/photos/out/$shard" && echo "$shard stays"
done
presto show s3://photos/out | grep '^shards:' -A 2
