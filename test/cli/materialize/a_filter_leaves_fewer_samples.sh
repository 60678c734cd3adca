# 24 photographs in classes: those of class 1 and above are kept.
cat >kept.conf <<CONF
[dataset]
source = folder
path = $SMALL_PHOTOS
match = **/*.jpg
label = directory
[pipeline]
kept = filter by=label min=1
decoded = jpeg_decode
large = filter by=height min=8
cropped = random_crop size=8
CONF
presto materialize kept.conf --strategy decoded/tar/none --out stored 2>log | grep -o ': [0-9]* samples as'
grep -o 'filters dropped.*' log
tar tf stored/shard-000000.tar | head -2 | wc -l
find stored -name '*.tar' -exec tar tf {} \; | grep -c 'npy$'
presto show stored | head -1 | grep -o '[0-9]* samples'
# The rest of the steps is read from the folder, with the filter in it.
cat >again.conf <<CONF
[dataset]
source = presto
path = stored
[pipeline]
wide = filter by=width min=8
CONF
presto show again.conf | sed -n 2p
