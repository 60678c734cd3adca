cat >small.conf <<'END'
[dataset]
source = folder
path = .
match = *.jpg
label = directory
[pipeline]
decoded = jpeg_decode
small = resize size=32x32
centered = center
cropped = random_crop size=28
[measure]
seed = 7
END
ln -s "$SMALL_PHOTOS"/*/ .
presto materialize small.conf -s small/tar/gzip:6 -o out --shards 3 >/dev/null 2>&1
mask() { sed 's/[0-9.]* [kM]*B$/N/; s/by presto .*/by presto V/'; }
presto show out | mask
presto show out --set dataset.path=x || echo "exit $?"
rm out/dataset.json
presto show out | mask
# What it names can be run, whatever the folder is called.
mv out "two words"
presto show "two words" | tail -n 1
