# A photograph, and a mask of 4 bits with a palette in a folder of its own.
mkdir -p images/street masks/street
cp "$SMALL_PHOTOS"/*/IMG_000001.jpg images/street/one.jpg
base64 -d >masks/street/one.png <<'P'
iVBORw0KGgoAAAANSUhEUgAAAAQAAAACBAMAAACNhmBQAAAADFBMVEUAAQIDBAUGBwgJCgvcTDic
AAAADklEQVR4nGNgVGYwEgAAAQsAZ1rkwL0AAAAASUVORK5CYII=
P
cat >masks.conf <<'C'
[dataset]
source = folder
path   = .
fields = data:images/*.jpg,mask:masks/*.png
label  = directory

[pipeline]
decoded = jpeg_decode
numbers = png_decode mode=index field=mask
C
presto materialize masks.conf --strategy numbers/tar/none --out data >/dev/null
tar -tf data/shard-000000.tar
tar -xOf data/shard-000000.tar street/one.mask.npy | tail -c 8 | od -An -v -tu1
cp images/street/one.jpg images/street/two.jpg
presto show masks.conf 2>&1
