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
flipped = hflip chance=0.25
[measure]
seed = 7
END
ln -s "$SMALL_PHOTOS"/*/ .
show() { # STORE CODEC FRAMEWORK
	presto materialize small.conf -s "small/$1/$2" -o "$1-$2" --shards 2 >/dev/null 2>&1
	presto snippet "$1-$2" --for "$3" | sed "s|^FOLDER = \"$PWD|FOLDER = \"/data|"
	echo
}
show tar gzip webdataset
show tar none pytorch
show tar none dali
show tfrecord zlib tensorflow
show tfrecord none dali
show npy none numpy
show npy none jax
show npy none pytorch
show files none numpy
show files none dali
# Decoding and resizing both want Pillow.
presto materialize small.conf -s raw/tar/none -o raw >/dev/null 2>&1
presto snippet raw --for webdataset | grep PIL
