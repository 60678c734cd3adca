# Notes of an earlier update name a shard: what has its name, but not the size
# that was noted, is not that shard, and may be larger than the memory.
. "$here/photos"
copy_photos data
write_photos_conf data 'same = identity'
presto materialize photos.conf -s raw/tar/none --shards 2 --out out >/dev/null
cp "$(find data -name '*.jpg' | LC_ALL=C sort | head -1)" data/new.jpg
printf 'presto finished 0123456789abcdef\n%s\n' \
    '0 12 0123456789abcdef' '999999999 12 0123456789abcdef' >out/presto.finished
echo "update $(sed -n 's/^fingerprint = //p' out/presto.manifest)" >out/presto.partial
truncate -s 5G out/shard-000002.index
presto materialize photos.conf --out out --update 2>&1 |
    sed 's/ in [0-9.]* [mu]*s,/ in T,/; /writing$/d'
find out -name 'presto.[fp]*'
