. "$here/../far/s3.sh"
mkdir -p near store/photos
find "$SMALL_PHOTOS" -name '*.jpg' | xargs cp -t near
s3_start store --control control
cat >photos.conf <<'C'
[dataset]
source = folder
path = near

[pipeline]
decoded = jpeg_decode
C
echo "no_list 1" >control
presto materialize photos.conf --strategy raw/tar/none --shuffle no --out s3://photos/out >all 2>&1
grep -c 'uploads that killed runs may have left in s3://photos/out stay there: .*AccessDenied' all
[ -e store/photos/out/presto.manifest ] && echo "complete"
