presto materialize "$PHOTOS/photos.conf" --strategy resized/tar/none --out out --shards 4 | sed 's/[0-9.]* [mk]*[Bs]\b/N/g; s/ in N/ in T/'
ls out
for shard in out/*.tar; do tar -tf "$shard"; done | grep -c 'npy$'
presto materialize "$PHOTOS/photos.conf" --strategy resized/tar/none --out out --shards 4 | sed 's/[0-9.]* [mk]*[Bs]\b/N/'
